; C#'s grammar has no tags query. Captures: see __init__.py.
[(namespace_declaration name: (_) @package) (file_scoped_namespace_declaration name: (_) @package)]
(using_directive "using" @import.all !name [(identifier) (qualified_name)] @import.module)
(using_directive "global" @import.global !name [(identifier) (qualified_name)] @import.module)
(using_directive name: (identifier) @import.alias (qualified_name) @import.module)

(class_declaration name: (identifier) @name) @definition.class
(record_declaration name: (identifier) @name) @definition.class
(struct_declaration name: (identifier) @name) @definition.struct
(interface_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(delegate_declaration name: (identifier) @name) @definition.type
(method_declaration name: (identifier) @name) @definition.method
(constructor_declaration name: (identifier) @name) @definition.method
((field_declaration (modifier) @_m (variable_declaration (variable_declarator name: (identifier) @name))) @definition.constant
  (#eq? @_m "const"))
((field_declaration (modifier) @_s (modifier) @_r (variable_declaration (variable_declarator name: (identifier) @name)))
  @definition.constant (#eq? @_s "static") (#eq? @_r "readonly"))

(base_list [
  (identifier) @name
  (generic_name (identifier) @name)
  (qualified_name qualifier: (_) @receiver name: (identifier) @name)
  (qualified_name qualifier: (_) @receiver name: (generic_name (identifier) @name))
  (primary_constructor_base_type type: (identifier) @name)
  (primary_constructor_base_type type: (generic_name (identifier) @name))
]) @reference.inherits
(invocation_expression function: (member_access_expression expression: (_) @receiver
  name: [(identifier) @name (generic_name (identifier) @name)])) @reference.call
(invocation_expression function: (conditional_access_expression condition: (_) @receiver
  (member_binding_expression name: [(identifier) @name (generic_name (identifier) @name)]))) @reference.call
(object_creation_expression type: [
  (identifier) @name
  (generic_name (identifier) @name)
  (qualified_name qualifier: (_) @receiver name: (identifier) @name)
]) @reference.class

(variable_declaration type: [(identifier) (generic_name) (qualified_name) (nullable_type)] @bind.type
  (variable_declarator name: (identifier) @bind.name))
(variable_declarator name: (identifier) @bind.name (object_creation_expression type: (_) @bind.type))
(property_declaration type: (_) @bind.type name: (identifier) @bind.name)
(parameter type: (_) @bind.type name: (identifier) @bind.name)
(foreach_statement type: (identifier) @bind.type left: (identifier) @bind.name)
(parameter name: (identifier) @local)

[(string_literal) (verbatim_string_literal) (raw_string_literal) (interpolated_string_expression)] @string
