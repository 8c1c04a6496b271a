; Rust: its own tags query knows no `impl`. Captures: see __init__.py.
(use_declaration argument: (_) @import.tree)
(mod_item name: (identifier) @import.child !body)

(struct_item name: (type_identifier) @name) @definition.struct
(union_item name: (type_identifier) @name) @definition.struct
(enum_item name: (type_identifier) @name) @definition.enum
(trait_item name: (type_identifier) @name) @definition.interface
(type_item name: (type_identifier) @name) @definition.type
(function_item name: (identifier) @name) @definition.function
(function_signature_item name: (identifier) @name) @definition.function
(macro_definition name: (identifier) @name) @definition.function
[(const_item name: (identifier) @name) (static_item name: (identifier) @name)] @definition.constant
(impl_item type: [
  (type_identifier) @name.of
  (generic_type type: (type_identifier) @name.of)
  (scoped_type_identifier name: (type_identifier) @name.of)
] body: (declaration_list [
  (function_item name: (identifier) @name) @definition.method
  (const_item name: (identifier) @name) @definition.constant
]))

(trait_item bounds: (trait_bounds [
  (type_identifier) @name
  (generic_type type: (type_identifier) @name)
  (scoped_type_identifier path: (_) @receiver name: (type_identifier) @name)
])) @reference.inherits
(impl_item trait: [
  (type_identifier) @name
  (generic_type type: (type_identifier) @name)
  (scoped_type_identifier path: (_) @receiver name: (type_identifier) @name)
] type: [(type_identifier) @name.of (generic_type type: (type_identifier) @name.of)]) @reference.inherits
(call_expression function: [
  (identifier) @name
  (generic_function function: (identifier) @name)
  (field_expression value: (_) @receiver field: (field_identifier) @name)
  (scoped_identifier path: (_) @receiver name: (identifier) @name)
  (generic_function function: (field_expression value: (_) @receiver field: (field_identifier) @name))
  (generic_function function: (scoped_identifier path: (_) @receiver name: (identifier) @name))
]) @reference.call
((struct_expression name: [
  (type_identifier) @name
  (scoped_type_identifier path: (_) @receiver name: (type_identifier) @name)
]) @reference.class (#not-eq? @name "Self"))

(field_declaration name: (field_identifier) @bind.field type: (_) @bind.type)
(parameter pattern: (identifier) @bind.name type: (_) @bind.type)
(let_declaration pattern: (identifier) @bind.name type: (_) @bind.type)
(let_declaration pattern: (identifier) @bind.name value: (struct_expression name: (_) @bind.type))
((let_declaration pattern: (identifier) @bind.name value: [
  (call_expression function: (scoped_identifier path: (_) @bind.type))
  (await_expression (call_expression function: (scoped_identifier path: (_) @bind.type)))
  (try_expression (call_expression function: (scoped_identifier path: (_) @bind.type)))
]) (#match? @bind.type "(^|:)[A-Z]\\w*$"))
(parameter pattern: (identifier) @local)
(let_declaration pattern: (identifier) @local value: (closure_expression))

(source_file . (line_comment (inner_doc_comment_marker) doc: (_) @doc)) @documented
[(string_literal) (raw_string_literal)] @string
