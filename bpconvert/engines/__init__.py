"""The real engines, offline: Heat and Cloudify compute the values of one document, each in a process of its own.

:mod:`bpconvert.engines.client` starts the runners ``heat.py`` and ``cloudify.py`` by their path, with a Python that has
the extra ``bpconvert[engines]``. They import nothing of bpconvert, and nothing of bpconvert imports them."""
