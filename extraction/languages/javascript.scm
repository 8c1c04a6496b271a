; JavaScript alone: its classes and parameters have other nodes than TypeScript's.
(class_heritage [
  (identifier) @name
  (member_expression object: (_) @receiver property: (property_identifier) @name)
]) @reference.inherits
(field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @definition.method
(field_definition property: (_) @bind.name value: (new_expression constructor: (_) @bind.type))
(formal_parameters [(identifier) @local (assignment_pattern left: (identifier) @local) (rest_pattern (identifier) @local)])
