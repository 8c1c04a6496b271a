; TypeScript alone: types, annotations, and its own class and parameter nodes.
(import_require_clause (identifier) @import.default source: (string (string_fragment) @import.module))

(function_signature name: (identifier) @name) @definition.function
[(method_signature name: (property_identifier) @name) (abstract_method_signature name: (property_identifier) @name)
] @definition.method
(abstract_class_declaration name: (type_identifier) @name) @definition.class
(interface_declaration name: (type_identifier) @name) @definition.interface
(module name: (identifier) @name) @definition.module
(enum_declaration name: (identifier) @name) @definition.enum
(type_alias_declaration name: (type_identifier) @name) @definition.type
(internal_module name: (identifier) @name) @definition.module
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @definition.method

(extends_clause value: [
  (identifier) @name
  (member_expression object: (_) @receiver property: (property_identifier) @name)
]) @reference.inherits
(implements_clause [
  (type_identifier) @name
  (generic_type name: (type_identifier) @name)
  (nested_type_identifier module: (_) @receiver name: (type_identifier) @name)
  (generic_type name: (nested_type_identifier module: (_) @receiver name: (type_identifier) @name))
]) @reference.inherits
(extends_type_clause type: [
  (type_identifier) @name
  (generic_type name: (type_identifier) @name)
  (nested_type_identifier module: (_) @receiver name: (type_identifier) @name)
]) @reference.inherits

(public_field_definition name: (_) @bind.name type: (type_annotation (_) @bind.type))
(public_field_definition name: (_) @bind.name value: (new_expression constructor: (_) @bind.type))
(variable_declarator name: (identifier) @bind.name type: (type_annotation (_) @bind.type))
(required_parameter pattern: (identifier) @bind.name type: (type_annotation (_) @bind.type))
(optional_parameter pattern: (identifier) @bind.name type: (type_annotation (_) @bind.type))
(required_parameter [(accessibility_modifier) "readonly"] pattern: (identifier) @bind.field
  type: (type_annotation (_) @bind.type))
([(required_parameter pattern: (identifier) @local) (optional_parameter pattern: (identifier) @local)])
(required_parameter pattern: (rest_pattern (identifier) @local))

(class_body (comment) @doc . (decorator)+ . (_) @documented (#match? @doc "^/[*][*]"))
