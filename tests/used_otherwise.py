"""Names that the product's Python and templates do not mention, each with its user.

Read by `tests/dead_code.py` alone; a name stands here as an attribute of nothing in particular.
"""

_ = object()

# Named in configurations and by people who use NLTK.
_.WebWorker  # gunicorn, in deploy/gunicorn.conf.py and the command line of `up`
_.NltkTagger  # our tagger behind NLTK's own interface

# Asked for by Django and by Python.
_.has_module_perms  # the admin, whether it shows an app
_.authenticate, _.get_user  # signing in by a backend
_.field_order  # Django's forms
_.lemma_of  # a field of a form that is asked for by its name
_.form_class, _.template_name, _.success_url  # Django's views
_.redirect_authenticated_user, _.token_generator  # the same
_.receive_data_chunk, _.file_complete  # who reads uploads
_.default_site  # the admin's configuration
_.label_from_instance  # a choice of a form
_.validate, _.password_changed, _.get_help_text  # a rule of passwords
_.CreateModels, _.AllowEmpty, _.CopyInBatches, _.DropColumnIndex  # migrations
_.serialization_expand_args  # who writes them
_.state_forwards, _.database_forwards, _.database_backwards  # who runs migrations
_.__lt__  # what sorts members of a cluster

_.look_in  # the configuration of an app, before all else
_.unpack_in  # as above

# Members of enumerations that are made of a stored or typed value.
_.LIGHT, _.DARK  # colours of an account
_.TAG_RATIO, _.QREAD, _.DGWC, _.SITE_LEVEL, _.TEMPLATENESS  # extractors
_.TSV  # a file format
_.BAR  # what a column shows
_.ISOTONIC_PENALTY  # a way of smoothing, off by itself

# Read by a name that is put together.
_.parameter_names  # a column of the admin
_.output_field  # what an expression gives, for Django
_.without_publications, _.without_sections, _.without_authors, _.without_languages
_.max_query_params, _.features_class  # the SQLite backend's, read by Django
_.job_id  # tells one job's cached answer from another's

_.LOW, _.MIDDLE, _.HIGH  # rows of a matrix; their number counts
_.FEATURE_GROUPS  # the ablation benchmark leaves out one after the other
_.write_opml  # a list of followed feeds, to take away
