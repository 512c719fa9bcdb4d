"""What generators would be opened with, checked without a connection and without an event."""

import pytest
from leafmint import InvalidArgumentError, InvalidConfigError
from leafmint._core import _check_snowflakes, _segments_for_checks


def test_options_are_refused_as_an_open_would_refuse_them() -> None:
    with pytest.raises(InvalidConfigError, match="max_step"):
        _segments_for_checks("memory:", {"max_step": 0})
    with pytest.raises(InvalidConfigError, match="worker_mode"):
        _check_snowflakes("mysql://nowhere/shop", {"worker_mode": "leaves"})
    _check_snowflakes("mysql://nowhere/shop", {"worker_mode": "lease"})


def test_names_are_refused_without_a_server() -> None:
    with _segments_for_checks("mysql://nowhere/shop", None) as generator:
        generator.tag("order")
        with pytest.raises(InvalidArgumentError):
            generator.tag("")
