; PHP: its own tags query does not tell what is called on what. Captures: see __init__.py.
(namespace_definition name: (_) @package)
(namespace_use_declaration) @import.tree

(class_declaration name: (name) @name) @definition.class
(interface_declaration name: (name) @name) @definition.interface
(trait_declaration name: (name) @name) @definition.interface
(enum_declaration name: (name) @name) @definition.enum
(function_definition name: (name) @name) @definition.function
(method_declaration name: (name) @name) @definition.method
(const_declaration (const_element (name) @name)) @definition.constant

([(base_clause [
    (name) @name
    (qualified_name prefix: (_) @receiver (name) @name)])
  (class_interface_clause [
    (name) @name
    (qualified_name prefix: (_) @receiver (name) @name)])
  (use_declaration [
    (name) @name
    (qualified_name prefix: (_) @receiver (name) @name)])
] @reference.inherits)
(function_call_expression function: (name) @name) @reference.call
(function_call_expression function: (qualified_name prefix: (_) @receiver (name) @name)) @reference.call
(member_call_expression object: (_) @receiver name: (name) @name) @reference.call
(nullsafe_member_call_expression object: (_) @receiver name: (name) @name) @reference.call
(scoped_call_expression scope: (_) @receiver name: (name) @name) @reference.call
(object_creation_expression [
  (name) @name
  (qualified_name prefix: (_) @receiver (name) @name)
]) @reference.class

(property_declaration type: (_) @bind.type (property_element name: (variable_name) @bind.field))
(property_promotion_parameter type: (_) @bind.type name: (variable_name) @bind.field)
(simple_parameter type: (_) @bind.type name: (variable_name) @bind.name)
(assignment_expression left: [(variable_name) (member_access_expression)] @bind.name
  right: (object_creation_expression [(name) (qualified_name)] @bind.type))

[(string) (encapsed_string) (heredoc) (nowdoc)] @string
