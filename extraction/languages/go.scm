; Go: its own tags query takes every name of a type for a reference. Captures: see __init__.py.
(package_clause (package_identifier) @package)
(import_spec !name path: (_ (_) @import.module))
(import_spec name: (package_identifier) @import.alias path: (_ (_) @import.module))
(import_spec name: (dot) @import.all path: (_ (_) @import.module))

(function_declaration name: (identifier) @name) @definition.function
(method_declaration receiver: (parameter_list (parameter_declaration type: [
  (type_identifier) @name.of
  (pointer_type (type_identifier) @name.of)
  (generic_type type: (type_identifier) @name.of)
  (pointer_type (generic_type type: (type_identifier) @name.of))
])) name: (field_identifier) @name) @definition.method
(type_spec name: (type_identifier) @name type: (struct_type)) @definition.struct
(type_spec name: (type_identifier) @name type: (interface_type)) @definition.interface
(type_spec name: (type_identifier) @name) @definition.type
(type_alias name: (type_identifier) @name) @definition.type
(method_elem name: (field_identifier) @name) @definition.method
(source_file (const_declaration (const_spec name: (identifier) @name) @definition.constant))
(source_file (var_declaration [
  (var_spec name: (identifier) @name) @definition.constant
  (var_spec_list (var_spec name: (identifier) @name) @definition.constant)
]))

(field_declaration !name type: [
  (type_identifier) @name
  (qualified_type package: (_) @receiver name: (_) @name)
  (generic_type type: (type_identifier) @name)
]) @reference.inherits
(interface_type (type_elem . [
  (type_identifier) @name
  (qualified_type package: (_) @receiver name: (_) @name)
] .)) @reference.inherits
(call_expression function: (identifier) @name) @reference.call
(call_expression function: (selector_expression operand: (_) @receiver field: (_) @name)) @reference.call
(composite_literal type: [
  (type_identifier) @name
  (qualified_type package: (_) @receiver name: (_) @name)
]) @reference.class

(field_declaration name: (field_identifier) @bind.field type: (_) @bind.type)
(parameter_declaration name: (identifier) @bind.name type: (_) @bind.type)
(var_spec name: (identifier) @bind.name type: (_) @bind.type)
(short_var_declaration left: (expression_list . (identifier) @bind.name) right: (expression_list . [
  (composite_literal type: (_) @bind.type)
  (unary_expression operand: (composite_literal type: (_) @bind.type))
]))
((short_var_declaration left: (expression_list . (identifier) @bind.name)
  right: (expression_list . (call_expression function: (_) @bind.type)))
  (#match? @bind.type "^(\\w+[.])?New[A-Z]"))
(parameter_declaration name: (identifier) @local)
(short_var_declaration left: (expression_list (identifier) @local) right: (expression_list (func_literal)))

[(interpreted_string_literal) (raw_string_literal)] @string
