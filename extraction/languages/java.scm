; Java. Captures: see __init__.py.
(package_declaration (_) @package)
(import_declaration (scoped_identifier scope: (_) @import.module name: (identifier) @import.name) .)
(import_declaration (scoped_identifier) @import.module (asterisk) @import.name)

(class_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(method_declaration name: (identifier) @name) @definition.method
(constructor_declaration name: (identifier) @name) @definition.method
(compact_constructor_declaration name: (identifier) @name) @definition.method
(enum_declaration name: (identifier) @name) @definition.enum
(record_declaration name: (identifier) @name) @definition.class
(annotation_type_declaration name: (identifier) @name) @definition.interface
((field_declaration (modifiers) @_m declarator: (variable_declarator name: (identifier) @name)) @definition.constant
  (#match? @_m "static") (#match? @_m "final"))
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.constant

(type_list (type_identifier) @name) @reference.inherits
(superclass [
  (type_identifier) @name
  (generic_type (type_identifier) @name)
  (scoped_type_identifier (_) @receiver (type_identifier) @name)
  (generic_type (scoped_type_identifier (_) @receiver (type_identifier) @name))
]) @reference.inherits
(type_list [
  (generic_type (type_identifier) @name)
  (scoped_type_identifier (_) @receiver (type_identifier) @name)
  (generic_type (scoped_type_identifier (_) @receiver (type_identifier) @name))
]) @reference.inherits
(method_invocation !object name: (identifier) @name) @reference.call
(method_invocation object: (_) @receiver name: (identifier) @name) @reference.call
(method_reference . (_) @receiver (identifier) @name .) @reference.call
(object_creation_expression type: (type_identifier) @name) @reference.class
(object_creation_expression type: (generic_type (type_identifier) @name)) @reference.class
(object_creation_expression type: (scoped_type_identifier (_) @receiver (type_identifier) @name)) @reference.class

(field_declaration type: (_) @bind.type declarator: (variable_declarator name: (_) @bind.field))
(local_variable_declaration type: (_) @bind.type declarator: (variable_declarator name: (_) @bind.name))
(local_variable_declaration declarator: (variable_declarator name: (_) @bind.name
  value: (object_creation_expression type: (_) @bind.type)))
(formal_parameter type: (_) @bind.type name: (_) @bind.name)
(enhanced_for_statement type: (_) @bind.type name: (_) @bind.name)
(resource type: (_) @bind.type name: (_) @bind.name)
(formal_parameter name: (_) @local)

(string_literal) @string
