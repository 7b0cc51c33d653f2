/**
 * Every code that Postern may print, with one sentence each. `docs/reference/errors.md` is checked against this list
 * in both directions. A code is `area/reason`; codes are never reused for another meaning.
 */
export const catalogue = {
  "yaml/syntax": "the text is not YAML that Kubernetes would accept",
  "yaml/duplicate-key": "a mapping has the same key twice",
  "yaml/too-large": "a document, its nesting or its aliases pass the limits",
  "file/unreadable": "a file or folder cannot be read",
  "file/no-match": "a folder, or a pattern for files, leads to nothing",
  "file/too-large": "a file that must be held as a whole is too large",
  "resource/not-an-object": "a document among the resources is not a Kubernetes object",
  "resource/no-kind": "a resource has no `kind` or no `apiVersion`",
  "policy/wrong-type": "a field of a policy has a value of another type",
  "policy/missing-field": "a field that must be there is missing",
  "policy/unknown-field": "a policy has a field that nothing reads",
  "policy/unknown-value": "a field has a word that is not allowed there",
  "policy/no-kind": "a document among the policies has no `kind` or no `apiVersion`",
  "policy/unknown-kind": "a document names a kind that its group does not have",
  "policy/unknown-version": "a policy kind is written with an `apiVersion` that does not exist",
  "policy/none-found": "what was named as a policy holds none",
  "policy/not-supported-yet": "a policy is of a kind that Postern does not evaluate yet",
  "input/wrong-kind": "a file is not of the kind that the flag takes",
  "input/wrong-type": "a field of a values, user or context file has a value of another type",
  "input/unknown-field": "a values, user or context file has a field that nothing reads",
} as const;

export type DiagnosticCode = keyof typeof catalogue;
