"""PostgreSQL, Redis and nginx of this machine in the place of the images that compose.yaml names.

What those images' own entry points do is done here; commands, environment, volumes, users, health
checks and the rest come from compose.yaml.
"""

import shutil
from pathlib import Path

from containers import Image, user_exists
from services import postgres_bin

# As the image's: a server on a socket alone until the database is there, then the real one.
_POSTGRES = """
set -e
PGDATA=/var/lib/postgresql/data
install -d -o postgres -g postgres -m 750 $PGDATA /run/postgresql
as() { setpriv --reuid=postgres --regid=postgres --init-groups "$@"; }
cd $PGDATA
if [ ! -s PG_VERSION ]; then
  file=/run/postgresql/password
  printf '%s' "$POSTGRES_PASSWORD" > $file; chown postgres $file
  as initdb --pgdata=$PGDATA --username="$POSTGRES_USER" --pwfile=$file \
     --auth-local=trust --auth-host=scram-sha-256 $POSTGRES_INITDB_ARGS
  rm $file
  as pg_ctl --pgdata=$PGDATA -o "-c listen_addresses=''" --wait start
  sleep 2  # the image's scripts would run now
  as createdb --username="$POSTGRES_USER" "$POSTGRES_DB"
  as pg_ctl --pgdata=$PGDATA --wait --mode=fast stop
  echo 'host all all all scram-sha-256' >> pg_hba.conf
fi
exec setpriv --reuid=postgres --regid=postgres --init-groups \
  postgres -D $PGDATA -c listen_addresses='*'
"""
_NGINX = """
user {user};
pid /run/nginx.pid;
error_log /dev/stderr notice;
events {{}}
http {{
    access_log off;
    client_body_temp_path /var/cache/nginx/client_temp;
    proxy_temp_path /var/cache/nginx/proxy_temp;
    fastcgi_temp_path /var/cache/nginx/fastcgi_temp;
    uwsgi_temp_path /var/cache/nginx/uwsgi_temp;
    scgi_temp_path /var/cache/nginx/scgi_temp;
    include /etc/nginx/conf.d/default.conf;
}}
"""
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def missing() -> list[str]:
    """Names of what this machine lacks."""
    programs = {"redis-server": "Redis", "nginx": "nginx", "openssl": "openssl"}
    lacking = [name for program, name in programs.items() if not shutil.which(program, path=_PATH)]
    return [*lacking, *(["PostgreSQL's server"] if postgres_bin() is None else [])]


def stand_in(name: str, work: Path) -> tuple[Image, dict[str, Path]]:
    """Return what stands for an image by its short name, and the files it sees."""
    if name == "postgres":
        path = f"{postgres_bin()}:{_PATH}"
        return Image(Path("/"), ["bash", "-c", _POSTGRES], environment={"PATH": path}), {}
    if name == "nginx":
        settings = work / "nginx.conf"
        settings.write_text(_NGINX.format(user="www-data" if user_exists("www-data") else "nobody"))
        command = ["nginx", "-g", "daemon off;"]
        image = Image(Path("/"), command, environment={"PATH": _PATH})
        return image, {"/etc/nginx/nginx.conf": settings}
    return Image(Path("/"), [name], environment={"PATH": _PATH}), {}
