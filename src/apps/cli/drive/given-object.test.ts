/** Values that reach into the object. */
import { expect, test } from "vitest";
import type { GivenValues } from "#engine";
import type { Json, JsonObject } from "#json";
import { withGivenObjects } from "./given-object.ts";
import { createRequest } from "./request.ts";
import { noValues } from "../load/values.ts";

const pod: JsonObject = { apiVersion: "v1", kind: "Pod", metadata: { name: "p", labels: { a: "1" } } };

function given(variables: Record<string, Json>): GivenValues {
  return { variables, rules: {}, foreach: {} };
}

test("change the object and leave the rest of it and the source alone", () => {
  const request = createRequest(pod, "UPDATE", { values: noValues });
  const changed = withGivenObjects(
    request,
    given({ 'request.object.metadata.labels."x.y/z"': "2", other: "3" }),
  );
  expect(changed.object).toEqual({ ...pod, metadata: { name: "p", labels: { a: "1", "x.y/z": "2" } } });
  expect(changed.oldObject).toBe(pod);
  expect(pod).toEqual({ apiVersion: "v1", kind: "Pod", metadata: { name: "p", labels: { a: "1" } } });
});

test("do not bring an object that the operation does not have", () => {
  const request = createRequest(pod, "CREATE", { values: noValues });
  expect(withGivenObjects(request, given({ "request.oldObject.metadata.name": "q" })).oldObject).toBeNull();
});

test("that are about something else change nothing", () => {
  const request = createRequest(pod, "CREATE", { values: noValues });
  expect(withGivenObjects(request, given({ "request.operation": "CREATE" }))).toBe(request);
  expect(withGivenObjects(request, undefined)).toBe(request);
});
