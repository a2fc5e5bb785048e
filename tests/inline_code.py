"""Find what a strict content policy would refuse: style attributes, handlers, inline scripts."""

import lxml.html


def inline_code(text):
    """List offending attributes and elements of a page as the parser of a browser sees them."""
    found = []
    for element in lxml.html.document_fromstring(text).iter():
        if not isinstance(element.tag, str):
            continue
        found += [
            f"{element.tag} {name}"
            for name, value in element.attrib.items()
            if name == "style"
            or name.startswith("on")
            or value.strip().lower().startswith("javascript:")
        ]
        if element.tag == "style" or (element.tag == "script" and not element.get("src")):
            found.append(element.tag)
    return found
