; C++ alone: classes, namespaces, templates, what is defined outside its class. Captures: see __init__.py.
(namespace_definition name: (_) @package)

(class_specifier name: (type_identifier) @name body: (_)) @definition.class
(alias_declaration name: (type_identifier) @name) @definition.type
(function_definition declarator: [
  (function_declarator declarator: [(field_identifier) (operator_name)] @name)
  (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name))
  (reference_declarator (function_declarator declarator: [(field_identifier) (identifier) (operator_name)] @name))
]) @definition.function
(field_declaration declarator: (function_declarator declarator: (field_identifier) @name)
  default_value: (number_literal)) @definition.method
(function_definition declarator: [
  (function_declarator declarator: (qualified_identifier scope: (_) @name.of name: [(identifier) (destructor_name) (operator_name)] @name))
  (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier scope: (_) @name.of name: (identifier) @name)))
  (reference_declarator (function_declarator declarator: (qualified_identifier scope: (_) @name.of name: [(identifier) (operator_name)] @name)))
  (function_declarator declarator: (qualified_identifier name: (qualified_identifier scope: (_) @name.of name: (identifier) @name)))
]) @definition.method
(declaration_list (declaration declarator: (init_declarator declarator: (identifier) @name)) @definition.constant)

(base_class_clause [
  (type_identifier) @name
  (template_type name: (type_identifier) @name)
  (qualified_identifier scope: (_) @receiver name: [(type_identifier) @name (template_type name: (type_identifier) @name)])
]) @reference.inherits
(call_expression function: [
  (template_function name: (identifier) @name)
  (field_expression argument: (_) @receiver field: (field_identifier) @name)
  (qualified_identifier scope: (_) @receiver name: (identifier) @name)
  (qualified_identifier name: (qualified_identifier scope: (_) @receiver name: (identifier) @name))
]) @reference.call
(new_expression type: (type_identifier) @name) @reference.class
((template_function name: (identifier) @_m arguments: (template_argument_list . (type_descriptor type: (type_identifier) @name)))
  @reference.class (#any-of? @_m "make_unique" "make_shared"))
(compound_statement (declaration type: (type_identifier) @name)) @reference.class

(field_declaration type: (_) @bind.type declarator: [
  (field_identifier) @bind.field
  (pointer_declarator declarator: (field_identifier) @bind.field)
  (reference_declarator (field_identifier) @bind.field)
])
(parameter_declaration type: (_) @bind.type declarator: [
  (identifier) @bind.name
  (pointer_declarator declarator: (identifier) @bind.name)
  (reference_declarator (identifier) @bind.name)
])
(compound_statement (declaration type: (_) @bind.type declarator: [
  (identifier) @bind.name
  (init_declarator declarator: (identifier) @bind.name)
  (init_declarator declarator: (pointer_declarator declarator: (identifier) @bind.name))
  (function_declarator declarator: (identifier) @bind.name)
]))
(init_declarator declarator: [(identifier) @bind.name (pointer_declarator declarator: (identifier) @bind.name)]
  value: [(new_expression type: (_) @bind.type)
    (call_expression function: (qualified_identifier name: (template_function
      arguments: (template_argument_list . (type_descriptor type: (_) @bind.type)))))])

(raw_string_literal) @string
