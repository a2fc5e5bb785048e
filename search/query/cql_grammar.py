"""The grammar of CQL for lark's LALR parser, and the names of its terminals in plain words.

The language is that of CQP (Evert & The CWB Development Team 2022, CQP Interface and Query Language
Manual, version 3.5).
"""

CQL_GRAMMAR = r"""
start: _pattern tail*

_pattern: sequence | alternatives
alternatives: sequence ("|" sequence)+
sequence: _item+
_item: token | repetition | group | edge | mu_query
group: "(" _pattern ")"
repetition: (token | group | edge) quantifier

quantifier: "?"                         -> optional
          | "*"                         -> star
          | "+"                         -> plus
          | "{" INT "}"                 -> exactly
          | "{" INT "," "}"             -> at_least
          | "{" "," INT "}"             -> at_most
          | "{" INT "," INT "}"         -> between

token: [LABEL] (word | brackets)
word: STRING FLAGS?
brackets: "[" [_condition] "]"

_condition: conjunction | disjunction
disjunction: conjunction ("|" conjunction)+
conjunction: _test ("&" _test)*
_test: negation | comparison | same | "(" _condition ")"
negation: "!" _test
comparison: reference OPERATOR STRING FLAGS?
same: reference OPERATOR reference
reference: NAME ["." NAME]

edge: "<" SLASH? NAME [OPERATOR STRING FLAGS?] ">"

mu_query: "MU" "(" (meet | union) ")"
meet: MEET _mu_operand _mu_operand (window | NAME)
union: "union" _mu_operand _mu_operand
window: SIGNED SIGNED | INT INT | SIGNED INT | INT SIGNED
_mu_operand: token | "(" (meet | union) ")"

?tail: "::" _constraint -> constraint
    | "within" [INT] [NAME] -> within

_constraint: global_and | global_or
global_or: global_and ("|" global_and)+
global_and: _global_test ("&" _global_test)*
_global_test: global_not | comparison | same | "(" _constraint ")"
global_not: "!" _global_test

MEET.2: "not"? /\s*/ "meet"
LABEL.2: /[A-Za-z_]\w*\s*:(?!:)/ | "@"
NAME: /[A-Za-z_][\w-]*/
STRING: /"(?:[^"\\]|\\.|"")*"/s | /'(?:[^'\\]|\\.|'')*'/s
FLAGS: /%[a-z]+/
OPERATOR: "!=" | "="
SLASH: "/"
SIGNED: /[+-]\d+/
INT: /\d+/
%ignore /\s+/
"""

TERMINAL_NAMES: dict[str, str] = {
    "$END": "the end of the query",
    "STRING": "a word in quotes",
    "LABEL": "a label such as a:",
    "LSQB": "[",
    "RSQB": "]",
    "LPAR": "(",
    "RPAR": ")",
    "LBRACE": "{",
    "RBRACE": "}",
    "LESSTHAN": "<",
    "MORETHAN": ">",
    "VBAR": "|",
    "COMMA": ",",
    "DOT": ".",
    "QMARK": "?",
    "STAR": "*",
    "PLUS": "+",
    "BANG": "!",
    "NAME": "a name",
    "OPERATOR": "= or !=",
    "FLAGS": "%c or %d",
    "INT": "a number",
    "SIGNED": "a number such as -3",
    "SLASH": "/",
    "WITHIN": "within",
    "MU": "MU",
    "MEET": "meet",
    "UNION": "union",
    "__ANON_0": "::",
    "AMPERSAND": "&",
}
