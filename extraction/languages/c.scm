; C, and what C++ has of it; its own tags query takes prototypes for functions. Captures: see __init__.py.
(preproc_include "#include" @import.all path: [(string_literal (string_content) @import.module) (system_lib_string) @import.module])

(function_definition declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
]) @definition.function
(struct_specifier name: (type_identifier) @name body: (_)) @definition.struct
(union_specifier name: (type_identifier) @name body: (_)) @definition.struct
(enum_specifier name: (type_identifier) @name body: (_)) @definition.enum
(type_definition declarator: (type_identifier) @name) @definition.type
(type_definition declarator: (pointer_declarator declarator: (type_identifier) @name)) @definition.type
(type_definition declarator: (function_declarator declarator: (parenthesized_declarator
  (pointer_declarator declarator: (type_identifier) @name)))) @definition.type
(type_definition type: (struct_specifier body: (_)) @inside declarator: (type_identifier) @name) @definition.struct
(type_definition type: (enum_specifier body: (_)) @inside declarator: (type_identifier) @name) @definition.enum
(preproc_def name: (identifier) @name value: (_)) @definition.constant
(preproc_function_def name: (identifier) @name) @definition.function
([(translation_unit (declaration declarator: (init_declarator declarator: [
    (identifier) @name (pointer_declarator declarator: (identifier) @name)])) @definition.constant)
  (preproc_ifdef (declaration declarator: (init_declarator declarator: [
    (identifier) @name (pointer_declarator declarator: (identifier) @name)])) @definition.constant)])

(call_expression function: (identifier) @name) @reference.call
(parameter_declaration declarator: (identifier) @local)

(string_literal) @string
