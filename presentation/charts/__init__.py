"""Charts made on the server: frozen values in, one `<svg>` element as text out.

Colours, fonts and strokes come from classes of the style sheet and never from the markup (the
content security policy forbids inline style), so the same picture serves page, print and export.
Classes used: `chart spark meter` on the svg; `ax` axis, `gr` grid, `ln l2…l6` lines, `bx b2…b6 lo
off` bars, `pt p2…p6 thin` points, `band` interval area, `iv` interval line, `guide` reference line,
`ev` event under an axis,
`bg` ground, `strong` text of a note, `val` a printed value.
"""
