/** Mistakes in variables and in the context of a rule: entries, elements, lookups. */
import { mutantsIn, type Mutant } from "../mutant.ts";

export const variableMutants: readonly Mutant[] = mutantsIn("core/engine/variables", ["substitution"], {
  "string-template": [
    ["escapes are kept", "return unescape(text);", "return text;"],
    [
      "on DELETE the object is asked",
      "context.isDelete() ? onDelete : query",
      "context.isDelete() ? query : query",
    ],
    ["a variable in a variable's value stays", "found = shallow ? [] : findVariables(text);", "found = [];"],
    ["markup in values is not escaped", "{ escapeHtml: true }", "{ escapeHtml: false }"],
    [
      "an escaped variable is replaced instead of its twin",
      'while (at > 0 && text.charAt(at - 1) === "\\\\")',
      "while (at > text.length)",
    ],
    [
      "the path of `@` is that of the rule",
      "segments.slice(foreach < 0 ? 3 : foreach + 3)",
      "segments.slice(3)",
    ],
    [
      "a shallow variable is resolved deeply",
      'const shallow = inner.startsWith("-");',
      "const shallow = false;",
    ],
  ],
  template: [
    [
      "variables in keys stay",
      "const name = keyNode === undefined ? key : renderKey(key, keyNode, context);",
      "const name = key;",
    ],
    [
      "variables in a list that a variable gave stay",
      "if (!holdsVariables(value, context))",
      "if (value !== null)",
    ],
  ],
});

export const contextMutants: readonly Mutant[] = mutantsIn("core/engine/context", ["context"], {
  "variable-entry": [
    ["no default where the query fails", "return fallback ?? answer.found;", "return answer.found;"],
    [
      "no default where the query finds null",
      "given === undefined ? (answer.found ?? fallback) : answer.found",
      "answer.found",
    ],
    ["an entry of null is declared", "if (value !== null)", "if (value !== undefined)"],
  ],
  "evaluation-context": [
    [
      "the limit of a context is one byte less",
      "if (this.#bytes > this.maxBytes)",
      "if (this.#bytes >= this.maxBytes)",
      "check:context",
    ],
    ["an element stays after its turn", "this.#root = mark.root;", "", "context", "check:context"],
    [
      "an entry cannot replace another one",
      "{ ...this.root(), [name]: value }",
      "{ [name]: value, ...this.root() }",
    ],
    [
      "an entry of an element is loaded once for all",
      "tried.splice(mark.tried)",
      "tried.slice(tried.length)",
      "context",
      "check:context",
    ],
    [
      "a query's error is a null",
      "return failure;\n        if (scoped.query",
      "return null;\n        if (scoped.query",
    ],
    [
      "on UPDATE the old object is asked",
      'request["operation"] === "DELETE"',
      'request["operation"] !== "CREATE"',
      "substitution",
      "context",
      "check:context",
    ],
  ],
  "element-frame": [
    [
      "indices begin at one",
      'this.root["elementIndex"] = index;',
      'this.root["elementIndex"] = index + 1;',
      "context",
      "check:context",
    ],
    ["element0 is not set", 'root["element0"] = element;', "", "context", "check:context"],
    [
      "the index of an inner element is that of the outer",
      'root["elementIndex1"] = index;',
      "",
      "context",
      "check:context",
    ],
  ],
  "lookup-entry": [
    ["the default of a call is lost", "return (program.fallback ?? new", "return (new", "check:lookups"],
    ["one lookup a pass", "context.foresee();", "", "check:lookups"],
    [
      "the failure of a lookup is an empty value",
      'if (fact.kind === "unset")',
      'if (fact.kind !== "value")',
      "check:lookups",
    ],
    [
      "what a lookup may not ask is asked",
      "if (refused !== undefined)",
      "if (refused === null)",
      "check:lookups",
    ],
  ],
  "lookup-source": [
    [
      "a config map is looked for in `default`",
      '(scope.namespace ?? "default")',
      '"default"',
      "check:lookups",
    ],
    ["a POST is made early", 'foreseeable: method === "GET"', "foreseeable: true", "check:lookups"],
  ],
  "namespace-bounds": [
    [
      "a Policy may call into other namespaces",
      "if (found === own)",
      "if (found !== undefined)",
      "check:lookups",
    ],
    [
      "a Policy may read config maps of other namespaces",
      "own === undefined || asked === own",
      "own !== undefined || asked === own",
      "check:lookups",
    ],
    ["a namespace may stand in the query", '.replace(/[?#].*$/s, "")', "", "check:lookups"],
    ["a place may be hidden", 'place.includes("%") ? undefined :', "", "check:lookups"],
  ],
  "given-values": [
    ["dots in quotes split a path", 'char === "." && !quoted', 'char === "."', "check:context"],
  ],
  mention: [
    [
      "a member of that name loads an entry",
      "if (!/[.0-9A-Za-z]/.test(before) &&",
      "if (!/[0-9A-Za-z]/.test(before) &&",
      "context",
      "check:lookups",
    ],
  ],
  "evaluation-run": [
    [
      "cluster roles are roles",
      'document["clusterRoles"] = facts.clusterRoles;',
      'document["clusterRoles"] = facts.roles;',
      "context",
      "check:context",
    ],
    [
      "a missing host is an external one",
      'return fact.kind === "unset" ? false :',
      'return fact.kind === "unset" ? true :',
      "check:lookups",
    ],
    [
      "the name of a service account is its namespace",
      'serviceAccountName: account?.name ?? ""',
      'serviceAccountName: account?.namespace ?? ""',
      "context",
      "check:context",
    ],
  ],
});
