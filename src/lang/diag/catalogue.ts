/**
 * Every code that Postern may print, with one sentence each. `docs/reference/errors.md` is checked against this list
 * in both directions. A code is `area/reason`; codes are never reused for another meaning.
 */
export const catalogue = {
  "yaml/syntax": "the text is not YAML that Kubernetes would accept",
  "yaml/duplicate-key": "a mapping has the same key twice",
  "yaml/too-large": "a document, its nesting or its aliases pass the limits",
} as const;

export type DiagnosticCode = keyof typeof catalogue;
