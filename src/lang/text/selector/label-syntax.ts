/**
 * What Kubernetes accepts as the key and as the value of a label, and what it says about the rest.
 * SPEC: k8s.io/apimachinery pkg/util/validation `IsQualifiedName`, `IsValidLabelValue`, `IsDNS1123Subdomain`.
 */
import { utf8Length } from "../utf8.ts";

const NAME = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const SUBDOMAIN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const MAX_NAME = 63;
const MAX_SUBDOMAIN = 253;

const NAME_RULE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character" +
  " (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const KEY_RULE = `a valid label key ${NAME_RULE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;
const VALUE_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and" +
  " end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is" +
  " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const SUBDOMAIN_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and" +
  " end with an alphanumeric character (e.g. 'example.com', regex used for validation is" +
  " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

const EMPTY = "must be non-empty";

/** What is wrong with a key, all of it; `undefined` for a valid one. */
export function labelKeyError(key: string): string | undefined {
  const steps = key.split("/");
  if (steps.length > 2) return KEY_RULE;
  const prefix = steps.length === 2 ? steps[0] : undefined;
  const name = steps.at(-1) ?? "";
  const problems = [
    ...(prefix === undefined ? [] : prefixProblems(prefix).map((problem) => `prefix part ${problem}`)),
    ...nameProblems(name).map((problem) => `name part ${problem}`),
  ];
  return problems.length === 0 ? undefined : problems.join("; ");
}

/** What is wrong with a value, all of it; `undefined` for a valid one. */
export function labelValueError(value: string): string | undefined {
  if (value === "") return undefined;
  const problems = [
    ...(utf8Length(value) > MAX_NAME ? [tooLong(MAX_NAME)] : []),
    ...(NAME.test(value) ? [] : [VALUE_RULE]),
  ];
  return problems.length === 0 ? undefined : problems.join("; ");
}

function prefixProblems(prefix: string): readonly string[] {
  if (prefix === "") return [EMPTY];
  return [
    ...(utf8Length(prefix) > MAX_SUBDOMAIN ? [tooLong(MAX_SUBDOMAIN)] : []),
    ...(SUBDOMAIN.test(prefix) ? [] : [SUBDOMAIN_RULE]),
  ];
}

function nameProblems(name: string): readonly string[] {
  const length = name === "" ? [EMPTY] : [];
  if (utf8Length(name) > MAX_NAME) length.push(tooLong(MAX_NAME));
  return NAME.test(name) ? length : [...length, NAME_RULE];
}

function tooLong(bytes: number): string {
  return `must be no more than ${bytes} bytes`;
}
