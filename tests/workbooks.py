"""Rows of an Excel file, read with the standard library."""

import io
import zipfile
from xml.etree import ElementTree as ET

NAMESPACE = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def rows_of_workbook(data: bytes) -> list[list[str]]:
    """Cells of the first sheet as text, row by row; empty rows are left out."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        sheet = ET.fromstring(archive.read("xl/worksheets/sheet1.xml"))  # noqa: S314 (our own file)
        shared = _shared_strings(archive)
    return [
        [_text(cell, shared) for cell in row.iter(f"{NAMESPACE}c")]
        for row in sheet.iter(f"{NAMESPACE}row")
    ]


def _shared_strings(archive: zipfile.ZipFile) -> list[str]:
    if "xl/sharedStrings.xml" not in archive.namelist():
        return []
    root = ET.fromstring(archive.read("xl/sharedStrings.xml"))  # noqa: S314 (our own file)
    return ["".join(item.itertext()) for item in root.iter(f"{NAMESPACE}si")]


def _text(cell: ET.Element, shared: list[str]) -> str:
    value = cell.find(f"{NAMESPACE}v")
    if value is None or value.text is None:
        return "".join(cell.itertext())
    return shared[int(value.text)] if cell.get("t") == "s" else value.text
