; Kotlin's grammar has no tags query. Captures: see symbols.py.
(package_header (_) @package)
(import (qualified_identifier) @import.module .)
(import (qualified_identifier) @import.module "*" @import.all)
(import (qualified_identifier) @import.module (identifier) @import.alias)

(class_declaration name: (identifier) @name) @definition.class
(class_declaration "interface" name: (identifier) @name) @definition.interface
((class_declaration (modifiers (class_modifier) @_m) name: (identifier) @name) @definition.enum (#eq? @_m "enum"))
(object_declaration name: (identifier) @name) @definition.object
(type_alias type: (identifier) @name) @definition.type
(function_declaration name: (identifier) @name) @definition.function
((property_declaration (modifiers (property_modifier) @_m) (variable_declaration (identifier) @name)) @definition.constant
  (#eq? @_m "const"))
(source_file (property_declaration (variable_declaration (identifier) @name)) @definition.constant)

(delegation_specifier [
  (user_type . (identifier) @name .)
  (user_type . (identifier) @name . (type_arguments))
  (constructor_invocation (user_type . (identifier) @name .))
  (constructor_invocation (user_type . (identifier) @name . (type_arguments)))
  (explicit_delegation (user_type . (identifier) @name .))
]) @reference.inherits
(call_expression . (identifier) @name) @reference.call
(call_expression . (navigation_expression (_) @receiver (identifier) @name .)) @reference.call

(class_parameter (identifier) @bind.field [(user_type) @bind.type (nullable_type (user_type) @bind.type)])
(variable_declaration (identifier) @bind.name [(user_type) @bind.type (nullable_type (user_type) @bind.type)])
(parameter (identifier) @bind.name [(user_type) @bind.type (nullable_type (user_type) @bind.type)])
((property_declaration (variable_declaration (identifier) @bind.name) (call_expression . (identifier) @bind.type))
  (#match? @bind.type "^[A-Z]"))
(parameter . (identifier) @local)

[(string_literal) (multiline_string_literal)] @string
