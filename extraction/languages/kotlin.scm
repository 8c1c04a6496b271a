; Kotlin. Captures: see __init__.py.
(package_header (_) @package)
(import_header (identifier) @import.module . [(line_comment) (multiline_comment)]* .)
(import_header (identifier) @import.module (wildcard_import) @import.all)
(import_header (identifier) @import.module (import_alias (_) @import.alias))

(class_declaration (type_identifier) @name) @definition.class
(class_declaration "interface" (type_identifier) @name) @definition.interface
(class_declaration "enum" (type_identifier) @name) @definition.enum
(object_declaration (type_identifier) @name) @definition.object
(type_alias . (type_identifier) @name) @definition.type
(function_declaration (simple_identifier) @name) @definition.function
((property_declaration (modifiers (property_modifier) @_m) (variable_declaration (simple_identifier) @name))
  @definition.constant (#eq? @_m "const"))
(source_file (property_declaration (variable_declaration (simple_identifier) @name)) @definition.constant)

(delegation_specifier [
  (user_type . (type_identifier) @name .)
  (user_type . (type_identifier) @name . (type_arguments))
  (constructor_invocation (user_type . (type_identifier) @name .))
  (constructor_invocation (user_type . (type_identifier) @name . (type_arguments)))
  (explicit_delegation (user_type . (type_identifier) @name .))
]) @reference.inherits
(call_expression . (simple_identifier) @name) @reference.call
(call_expression . (navigation_expression . (_) @receiver (navigation_suffix (simple_identifier) @name))) @reference.call

(class_parameter (simple_identifier) @bind.field [(user_type) @bind.type (nullable_type (user_type) @bind.type)])
(variable_declaration (simple_identifier) @bind.name [(user_type) @bind.type (nullable_type (user_type) @bind.type)])
(parameter (simple_identifier) @bind.name [(user_type) @bind.type (nullable_type (user_type) @bind.type)])
((property_declaration (variable_declaration (simple_identifier) @bind.name) (call_expression . (simple_identifier) @bind.type))
  (#match? @bind.type "^[A-Z]"))
(parameter . (simple_identifier) @local)

(string_literal) @string
