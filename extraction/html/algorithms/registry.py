"""All algorithms by name: what an editor may choose and the evaluation compares."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from extraction.html.algorithms.composite_density import DensityParameters, composite_density
from extraction.html.algorithms.dgwc import DgwcParameters, dgwc
from extraction.html.algorithms.editors_rule import RuleParameters, editors_rule
from extraction.html.algorithms.parameters import AlgorithmParameterError, with_values
from extraction.html.algorithms.qread import QReadParameters, qread
from extraction.html.algorithms.scored_page import ReadPage, ScoredPage
from extraction.html.algorithms.site_level import SiteLevelParameters, site_level
from extraction.html.algorithms.tag_ratio import TagRatioParameters, tag_ratio
from extraction.html.algorithms.templateness import TemplatenessParameters, templateness

AUTO = "auto"  # the default extractor, which is none of these


@dataclass(frozen=True, slots=True)
class Algorithm:
    """One algorithm: its name in addresses and settings, what people call it, and how it runs."""

    name: str
    label: str
    parameters: type[Any]
    run: Callable[[ReadPage, Any], ScoredPage]

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """Names of the parameters, in the order of their declaration."""
        return tuple(item.name for item in fields(self.parameters))


ALGORITHMS: dict[str, Algorithm] = {
    algorithm.name: algorithm
    for algorithm in (
        Algorithm("rule", "Editor's rule", RuleParameters, editors_rule),
        Algorithm("tag_ratio", "Text-to-tag ratio", TagRatioParameters, tag_ratio),
        Algorithm("text_density", "Composite text density", DensityParameters, composite_density),
        Algorithm("qread", "qRead", QReadParameters, qread),
        Algorithm("dgwc", "DGWC lines and blocks", DgwcParameters, dgwc),
        Algorithm("site_level", "SiteLevel", SiteLevelParameters, site_level),
        Algorithm("templateness", "Templateness", TemplatenessParameters, templateness),
    )
}


@dataclass(frozen=True, slots=True)
class ExtractorChoice:
    """An algorithm with its parameters; `auto` has none."""

    name: str = AUTO
    parameters: Any = None

    @classmethod
    def of(cls, name: str, values: Mapping[str, object] | None = None) -> "ExtractorChoice":
        """Choose by name, with values for some of its parameters.

        Raises
        ------
        AlgorithmParameterError
            When the name or a parameter is unknown or a value outside its limits.

        Examples
        --------
        >>> ExtractorChoice.of("site_level", {"page_share": 0.2}).parameters.page_share
        0.2
        """
        if name == AUTO:
            if values:
                raise AlgorithmParameterError("The default extractor has no parameters.")
            return cls()
        if name not in ALGORITHMS:
            names = ", ".join((AUTO, *ALGORITHMS))
            raise AlgorithmParameterError(f"There is no extractor “{name}”; there are: {names}.")
        return cls(name, with_values(ALGORITHMS[name].parameters, values or {}))

    @classmethod
    def parse(cls, text: str) -> "ExtractorChoice":
        """Read `name` or `name:parameter=value,parameter=value`.

        Raises
        ------
        AlgorithmParameterError
            As `of`, and where an equals sign is missing.
        """
        name, _, rest = text.strip().partition(":")
        values: dict[str, object] = {}
        for pair in filter(None, rest.split(",")):
            key, sign, value = pair.partition("=")
            if not sign:
                raise AlgorithmParameterError(f"“{pair}” is not of the form parameter=value.")
            values[key.strip()] = value.strip()
        return cls.of(name, values)

    @property
    def changed_values(self) -> dict[str, object]:
        """Parameters that are not the source's, as plain values for JSON."""
        if self.parameters is None:
            return {}
        defaults = type(self.parameters)()
        values = {item.name: getattr(self.parameters, item.name) for item in fields(defaults)}
        return {
            name: str(value) if isinstance(value, StrEnum) else value
            for name, value in values.items()
            if value != getattr(defaults, name)
        }

    @property
    def is_auto(self) -> bool:
        """Whether this is the default extractor."""
        return self.name == AUTO

    def run(self, page: ReadPage) -> ScoredPage:
        """Run the algorithm on a page; not for `auto`, which works on other input."""
        return ALGORITHMS[self.name].run(page, self.parameters)
