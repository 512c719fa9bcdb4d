"""Machinery that several modules share. Those imported here change the compiled classes, or are called by them."""

from . import async_methods as async_methods
from . import credentials as credentials
from . import logs as logs
from . import numpy_import as numpy_import
