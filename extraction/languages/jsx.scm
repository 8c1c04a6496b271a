; Elements: `<Cart/>` uses the component as a call does.
([(jsx_opening_element name: (identifier) @name) (jsx_self_closing_element name: (identifier) @name)] @reference.call
  (#match? @name "^[A-Z]"))
[(jsx_opening_element name: (member_expression object: (identifier) @receiver property: (property_identifier) @name))
 (jsx_self_closing_element name: (member_expression object: (identifier) @receiver property: (property_identifier) @name))
] @reference.call
