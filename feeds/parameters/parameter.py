"""What a parameter is: its default is a setting of the installation, its value an admin's word."""

from dataclasses import dataclass

from django.conf import settings


class ParameterRefusedError(ValueError):
    """A value that a parameter does not take; the text says what it takes."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number that decides how the work is done, in `unit`, from `least` to `most`.

    `source` is what the papers say that the product follows; `affects` what changes with
    it, and from when on.
    """

    name: str  # of the setting that gives its default
    label: str
    unit: str
    least: float
    most: float
    affects: str
    source: str = ""
    is_whole: bool = True

    @property
    def default(self) -> float:
        return float(getattr(settings, self.name))

    def read(self, text: str) -> float:
        """Read what an admin has typed.

        Raises
        ------
        ParameterRefusedError
            Unless it is a number within the limits, whole where it must be.
        """
        try:
            value = float(text.replace("\u00a0", "").replace(" ", "").replace(",", "."))
        except ValueError:
            raise ParameterRefusedError("Give a number.") from None
        if not self.least <= value <= self.most:
            raise ParameterRefusedError(f"Give a number from {self.least:g} to {self.most:g}.")
        if self.is_whole and value != int(value):
            raise ParameterRefusedError("Give a whole number.")
        return value
