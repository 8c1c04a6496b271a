; Ruby: its own tags query takes every name for a call. Captures: see __init__.py.
((call !receiver method: (identifier) @_m arguments: (argument_list . (string (string_content) @import.module)))
  (#eq? @_m "require"))
((call !receiver method: (identifier) @import.relative arguments: (argument_list . (string (string_content) @import.module)))
  (#eq? @import.relative "require_relative"))

(class name: [(constant) @name (scope_resolution name: (constant) @name)]) @definition.class
(module name: [(constant) @name (scope_resolution name: (constant) @name)]) @definition.module
(method name: (_) @name) @definition.method
(singleton_method name: (_) @name) @definition.method
(assignment left: (constant) @name) @definition.constant
((call method: (identifier) @_m arguments: (argument_list (simple_symbol) @name @definition.method))
  (#any-of? @_m "attr_reader" "attr_writer" "attr_accessor"))

(superclass [
  (constant) @name
  (scope_resolution scope: (_) @receiver name: (constant) @name)
]) @reference.inherits
((call !receiver method: (identifier) @_m arguments: (argument_list [
  (constant) @name
  (scope_resolution scope: (_) @receiver name: (constant) @name)
])) @reference.inherits (#any-of? @_m "include" "extend" "prepend"))
((call receiver: (_) @receiver method: (identifier) @name) @reference.call (#not-eq? @name "new"))
((call receiver: [
  (constant) @name
  (scope_resolution scope: (_) @receiver name: (constant) @name)
] method: (identifier) @_m) @reference.class (#eq? @_m "new"))

((assignment left: [(identifier) (instance_variable)] @bind.name
  right: (call receiver: [(constant) (scope_resolution)] @bind.type method: (identifier) @_m)) (#eq? @_m "new"))

[(string) (heredoc_body)] @string
