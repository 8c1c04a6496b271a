; JavaScript and TypeScript. Captures: see __init__.py.

; imports
(import_statement . source: (string (string_fragment) @import.module))
(import_statement (import_clause (identifier) @import.default) source: (string (string_fragment) @import.module))
(import_statement (import_clause (namespace_import (identifier) @import.alias))
  source: (string (string_fragment) @import.module))
(import_statement (import_clause (named_imports (import_specifier name: [(_) "default"] @import.name !alias)))
  source: (string (string_fragment) @import.module))
(import_statement (import_clause (named_imports (import_specifier name: [(_) "default"] @import.name alias: (_) @import.alias)))
  source: (string (string_fragment) @import.module))
(export_statement "*" @import.name source: (string (string_fragment) @import.module))
(export_statement (namespace_export (_) @import.alias) source: (string (string_fragment) @import.module))
(export_statement (export_clause (export_specifier name: [(_) "default"] @import.name !alias))
  source: (string (string_fragment) @import.module))
(export_statement (export_clause (export_specifier name: [(_) "default"] @import.name alias: (_) @import.alias))
  source: (string (string_fragment) @import.module))

; import(…) and require(…): whole, a part of it, or its parts by name
((call_expression function: [(import) (identifier) @_f] arguments: (arguments . (string (string_fragment) @import.module)))
  (#eq? @_f "require"))
((variable_declarator name: (identifier) @import.default
  value: (call_expression function: (identifier) @_f arguments: (arguments . (string (string_fragment) @import.module))))
  (#eq? @_f "require"))
(variable_declarator name: (identifier) @import.alias value: (await_expression
  (call_expression function: (import) arguments: (arguments . (string (string_fragment) @import.module)))))
((variable_declarator name: (identifier) @import.alias value: (member_expression
  object: (call_expression function: (identifier) @_f arguments: (arguments . (string (string_fragment) @import.module)))
  property: (property_identifier) @import.name))
  (#eq? @_f "require"))
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @import.name) value: [
  (call_expression function: (identifier) @_f arguments: (arguments . (string (string_fragment) @import.module)))
  (await_expression (call_expression function: (import) arguments: (arguments . (string (string_fragment) @import.module))))
] (#eq? @_f "require"))
(variable_declarator name: (object_pattern (pair_pattern key: (property_identifier) @import.name value: (identifier) @import.alias))
  value: [
  (call_expression function: (identifier) @_f arguments: (arguments . (string (string_fragment) @import.module)))
  (await_expression (call_expression function: (import) arguments: (arguments . (string (string_fragment) @import.module))))
] (#eq? @_f "require"))

; what is required to be handed on
((assignment_expression left: (member_expression object: (_) @_m property: (property_identifier) @import.default)
  right: (call_expression function: (identifier) @_f arguments: (arguments . (string (string_fragment) @import.module))))
  (#any-of? @_m "exports" "module" "module.exports") (#eq? @_f "require"))
((assignment_expression left: (member_expression object: (identifier) @_m property: (property_identifier) @_e)
  right: (object (pair key: (property_identifier) @import.default value: (call_expression function: (identifier) @_f
    arguments: (arguments . (string (string_fragment) @import.module))))))
  (#eq? @_m "module") (#eq? @_e "exports") (#eq? @_f "require"))
((assignment_expression left: (member_expression object: (identifier) @_m property: (property_identifier) @import.all)
  right: (call_expression function: (identifier) @_f arguments: (arguments . (string (string_fragment) @import.module))))
  (#eq? @_m "module") (#eq? @import.all "exports") (#eq? @_f "require"))

; exports under another name
(export_statement !source (export_clause (export_specifier name: (identifier) @export.name alias: (_) @export.alias)))
(export_statement "default" @export.alias value: (identifier) @export.name)
(export_statement "default" @export.alias value: (new_expression constructor: (identifier) @export.name))
((export_statement "default" @export.alias value: (call_expression function: (identifier) @export.name
  arguments: (arguments) @_none)) (#eq? @_none "()"))
((export_statement "default" @export.alias value: (call_expression arguments: (arguments . (identifier) @export.name .)))
  (#match? @export.name "^[A-Z]"))
(export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @export.alias
  value: (new_expression constructor: (identifier) @export.name))))
(export_statement "default" @export.alias declaration: (_ name: (_) @export.name))
((assignment_expression left: (member_expression object: (identifier) @_m property: (property_identifier) @export.default)
  right: [(identifier) @export.name
    (new_expression constructor: (identifier) @export.name)
    (function_expression name: (identifier) @export.name)
    (class name: (_) @export.name)])
  (#eq? @_m "module") (#eq? @export.default "exports"))
((assignment_expression left: (member_expression object: (_) @_m property: (property_identifier) @export.alias)
  right: (identifier) @export.name)
  (#any-of? @_m "exports" "module.exports"))
((assignment_expression left: (member_expression object: (identifier) @_m property: (property_identifier) @_e)
  right: (object (pair key: (property_identifier) @export.alias value: (identifier) @export.name)))
  (#eq? @_m "module") (#eq? @_e "exports"))

; definitions: what has no name but `default`, members, objects that hold functions, wrapped functions, constants
(export_statement "default" @name.default value: [(arrow_function) (function_expression !name)]) @definition.function
(export_statement "default" @name.default value: (class !name)) @definition.class
((assignment_expression left: (member_expression object: (identifier) @_m property: (property_identifier) @name.default)
  right: [(arrow_function) (function_expression !name)]) @definition.function
  (#eq? @_m "module") (#eq? @name.default "exports"))
((assignment_expression left: (member_expression object: (identifier) @_m property: (property_identifier) @name.default)
  right: (class !name)) @definition.class
  (#eq? @_m "module") (#eq? @name.default "exports"))
((assignment_expression left: (member_expression
  object: (member_expression object: (identifier) @name.of property: (property_identifier) @_p)
  property: (property_identifier) @name) right: [(arrow_function) (function_expression)]) @definition.method
  (#eq? @_p "prototype"))
[(class name: (_) @name) (class_declaration name: (_) @name)] @definition.class
[(function_expression name: (identifier) @name) (function_declaration name: (identifier) @name)
 (generator_function name: (identifier) @name) (generator_function_declaration name: (identifier) @name)] @definition.function
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)]) @definition.function
(assignment_expression left: [(identifier) @name (member_expression property: (property_identifier) @name)]
  right: [(arrow_function) (function_expression)]) @definition.function
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @definition.function
(method_definition name: [(property_identifier) (private_property_identifier)] @name) @definition.method
(export_statement value: (assignment_expression left: (identifier) @name right: [
  (number) (string) (identifier) (undefined) (null) (new_expression) (binary_expression) (call_expression)
])) @definition.constant
(variable_declarator name: (identifier) @name value: (class)) @definition.class
(variable_declarator name: (identifier) @name
  value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])])) @definition.object
(variable_declarator name: (identifier) @name value: (arrow_function
  body: (parenthesized_expression (object [(method_definition) (pair value: [(arrow_function) (function_expression)])])))
) @definition.object
((assignment_expression left: (member_expression object: (identifier) @_m property: (property_identifier) @_e)
  right: (object (pair key: (property_identifier) @name value: (object [
    (method_definition) (pair value: [(arrow_function) (function_expression)])])) @definition.object))
  (#eq? @_m "module") (#eq? @_e "exports"))
((assignment_expression left: (member_expression object: (identifier) @_m property: (property_identifier) @_e)
  right: (object (pair key: (property_identifier) @name
    value: [(object) (array) (string) (number) (new_expression)]) @definition.constant))
  (#eq? @_m "module") (#eq? @_e "exports"))
((variable_declarator name: (identifier) @name
  value: (call_expression arguments: (arguments . [(arrow_function) (function_expression)]))) @definition.function
  (#match? @name "^[A-Z].*[a-z]"))
(program [(lexical_declaration (variable_declarator name: (identifier) @name value: (_)) @definition.constant)
  (variable_declaration (variable_declarator name: (identifier) @name value: (_)) @definition.constant)])
(export_statement declaration: [
  (lexical_declaration (variable_declarator name: (identifier) @name value: (_)) @definition.constant)
  (variable_declaration (variable_declarator name: (identifier) @name value: (_)) @definition.constant)])

; what is inside these can't be called from elsewhere
(arguments [(arrow_function) (function_expression) (object)] @inside)

; what is called, on what, and what is made
((call_expression function: (identifier) @name) @reference.call (#not-eq? @name "require"))
(call_expression function: (member_expression object: (_) @receiver
  property: [(property_identifier) (private_property_identifier)] @name)) @reference.call
(new_expression constructor: (identifier) @name) @reference.class
(new_expression constructor: (member_expression object: (_) @receiver property: (property_identifier) @name)) @reference.class

; what a variable is
(variable_declarator name: (identifier) @bind.name value: (new_expression constructor: (_) @bind.type))
(assignment_expression left: [(identifier) (member_expression)] @bind.name
  right: (new_expression constructor: (_) @bind.type))
(assignment_expression left: (member_expression object: (this)) @bind.name right: (identifier) @bind.type)
(arrow_function parameter: (identifier) @local)
(statement_block [(lexical_declaration (variable_declarator name: (identifier) @local))
  (variable_declaration (variable_declarator name: (identifier) @local))])
(shorthand_property_identifier_pattern) @local

; documentation
((comment) @doc . (_) @documented (#match? @doc "^/[*][*]"))
((program (comment) @doc) @documented
  (#match? @doc "^/[*][*](.|\n)*@(file|fileoverview|overview|module|packageDocumentation)"))

; texts that may hold another language
[(string) (template_string)] @string
