"""How gunicorn serves the pages in production; `manage.py up` says the same on its command line.

One process with threads: searches leave the interpreter to each other while numpy counts, and all
threads share one opened index. More machines, or GUNICORN_CMD_ARGS="--workers=4", serve more.
"""

bind = "0.0.0.0:8000"  # behind the proxy; a container's own network, or 127.0.0.1 under systemd
worker_class = "corpus_site.running.web_worker.WebWorker"
threads = 40
timeout = 60
graceful_timeout = 20
# Queries stand in addresses; this is gunicorn's highest.
limit_request_line = 8190
# A heartbeat on a disk that is slow, full or read-only would end the worker.
worker_tmp_dir = "/dev/shm"  # noqa: S108 (memory, not a shared file)
control_socket_disable = True
