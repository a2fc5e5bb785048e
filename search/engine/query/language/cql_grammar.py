"""The grammar of CQL for lark's LALR parser, and the names of its terminals in plain words.

The language is that of CQP (Evert & The CWB Development Team 2022, CQP Interface and Query Language
Manual, version 3.5), with ``containing``, ``within`` a pattern and their negations from the CQL of
Manatee (Jakubíček et al. 2010, Fast syntactic searching in very large corpora for many languages).
"""

CQL_GRAMMAR = r"""
start: [MODIFIER] _main tail* ";"?

_main: sequence | alternatives | mu_query | tab_query
alternatives: sequence ("|" sequence)+
sequence: _item+
_item: token | repetition | group | edge | region
group: "(" (sequence | alternatives) ")"
repetition: (token | group | edge | region) quantifier

quantifier: "?"                         -> optional
          | "*"                         -> star
          | "+"                         -> plus
          | "{" INT "}"                 -> exactly
          | "{" INT "," "}"             -> at_least
          | "{" "," INT "}"             -> at_most
          | "{" INT "," INT "}"         -> between

token: [TARGET] [LABEL] (word | brackets | ahead)
word: (STRING | LIST | PATTERNS) [FLAGS]
brackets: "[" [_condition] "]"
ahead: "[:" [_condition] ":]"

edge: "<" NAME [EQUALITY] STRING [FLAGS] ">" -> tested_edge
    | "<" NAME ">"                           -> start_edge
    | "</" NAME ">"                          -> end_edge
region: "<<" [TARGET] [LABEL] NAME [TARGET] [LABEL] [SLASH] ">>"
      | "<" NAME SLASH ">"                   -> structure
      | "/region" "[" NAME "]"               -> structure

_condition: implication | _disjunction
implication: _disjunction ("->" _disjunction)+
_disjunction: conjunction | disjunction
disjunction: conjunction ("|" conjunction)+
conjunction: _test ("&" _test)*
_test: negation | comparison | feature | exists | "(" _condition ")"
negation: "!" _test
comparison: _operand (EQUALITY | ORDER | LESS | MORE) (_operand | number | text)
feature: _operand [NOT] FEATURE text
exists: _operand
_operand: reference | call
reference: NAME ["." NAME]
call: NAME "(" _argument ("," _argument)* ")"
_argument: _operand | number | text
text: (STRING | LIST | PATTERNS) [FLAGS]
number: INT

mu_query: "MU" _mu
_mu: meet | union | mu_token
mu_token: word | brackets
meet: "(" "meet" _mu [NOT] _mu [window] ")"
union: "(" "union" _mu _mu ")"
window: INT INT | NAME

tab_query: "TAB" mu_token _tab_next*
_tab_next: [quantifier] mu_token

?tail: "::" _condition                  -> constraint
    | "within" [INT] [NAME]             -> within
    | "!" "within" NAME                 -> outside
    | relative
    | "cut" INT                         -> cut
    | "show" anchor ".." anchor         -> show
    | "expand" [SIDE] "to" [INT] [NAME] -> expand
anchor: NAME ["[" INT "]"]

?relative: "within" _other         -> within_pattern
    | "containing" _other          -> containing_pattern
    | "!" "within" _other          -> not_within_pattern
    | "!" "containing" _other      -> not_containing_pattern
_other: sequence | nested
nested: "(" (sequence | alternatives) relative+ ")"

MODIFIER.3: /\(\?\s*[A-Za-z]+\s*\)/
TARGET.2: /@[0-9]?:?/
LABEL.2: /[A-Za-z_][\w-]*\s*:(?![:\]])/
SIDE.2: "left" | "right"
NOT.2: /not\b/
FEATURE.2: /(contains|matches)\b/
NAME: /[A-Za-z_][\w-]*/
STRING: /"(?:[^"\\]|\\.|"")*"/s | /'(?:[^'\\]|\\.|'')*'/s
LIST: /\$[A-Za-z_][\w-]*/
PATTERNS.3: /RE\s*\(\s*\$[A-Za-z_][\w-]*\s*\)/
FLAGS: /%[a-z]+/
EQUALITY: "!=" | "="
ORDER: "<=" | ">="
LESS: "<"
MORE: ">"
SLASH: "/"
INT: /[+-]?\d+/
%ignore /\s+/
%ignore /#[^\n]*/
"""

TERMINAL_NAMES: dict[str, str] = {
    "$END": "the end of the query",
    "STRING": "a word in quotes",
    "LIST": "a list such as $days",
    "PATTERNS": "RE($list)",
    "LABEL": "a label such as a:",
    "TARGET": "@",
    "MODIFIER": "(?longest)",
    "LSQB": "[",
    "RSQB": "]",
    "LPAR": "(",
    "RPAR": ")",
    "LBRACE": "{",
    "RBRACE": "}",
    "LESS": "<",
    "MORE": ">",
    "VBAR": "|",
    "COMMA": ",",
    "DOT": ".",
    "QMARK": "?",
    "STAR": "*",
    "PLUS": "+",
    "BANG": "!",
    "NAME": "a name",
    "EQUALITY": "= or !=",
    "ORDER": "<= or >=",
    "FLAGS": "%c or %d",
    "INT": "a number",
    "SLASH": "/",
    "WITHIN": "within",
    "CONTAINING": "containing",
    "CUT": "cut",
    "SHOW": "show",
    "EXPAND": "expand",
    "TO": "to",
    "SIDE": "left or right",
    "NOT": "not",
    "FEATURE": "contains or matches",
    "MU": "MU",
    "TAB": "TAB",
    "MEET": "meet",
    "UNION": "union",
    "SEMICOLON": ";",
    "AMPERSAND": "&",
}
