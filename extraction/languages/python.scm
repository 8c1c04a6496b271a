; Python. Captures: see __init__.py.
(module (expression_statement (assignment left: (identifier) @name) @definition.constant))
(class_definition name: (identifier) @name) @definition.class
(function_definition name: (identifier) @name) @definition.function

; imports
(import_statement name: (dotted_name) @import.module)
(import_statement name: (aliased_import name: (dotted_name) @import.module alias: (identifier) @import.alias))
(import_from_statement module_name: (_) @import.module name: (dotted_name) @import.name)
(import_from_statement module_name: (_) @import.module
  name: (aliased_import name: (dotted_name) @import.name alias: (identifier) @import.alias))
(import_from_statement module_name: (_) @import.module (wildcard_import) @import.name)

; base classes
(class_definition superclasses: (argument_list [
  (identifier) @name
  (attribute object: (_) @receiver attribute: (identifier) @name)
  (subscript value: (identifier) @name)
  (subscript value: (attribute object: (_) @receiver attribute: (identifier) @name))
])) @reference.inherits

; calls
(call function: (identifier) @name) @reference.call
(call function: (attribute object: (_) @receiver attribute: (identifier) @name)) @reference.call

; what a variable is
(assignment left: [(identifier) (attribute)] @bind.name right: (call function: (_) @bind.type))
(assignment left: [(identifier) (attribute)] @bind.name type: (type) @bind.type)
(assignment left: (attribute) @bind.name right: (identifier) @bind.type)
(typed_parameter . (identifier) @bind.name type: (type) @bind.type)
(typed_default_parameter name: (identifier) @bind.name type: (type) @bind.type)
(with_item value: (as_pattern (call function: (_) @bind.type) alias: (as_pattern_target (_) @bind.name)))
(parameters [(identifier) @local (default_parameter name: (identifier) @local)])
(parameters [(typed_parameter . (identifier) @local) (typed_default_parameter name: (identifier) @local)])

; documentation
(module . (comment)* . (expression_statement (string) @doc)) @documented
(class_definition body: (block . (expression_statement (string) @doc))) @documented
(function_definition body: (block . (expression_statement (string) @doc))) @documented

; texts that may hold another language
(string) @string
