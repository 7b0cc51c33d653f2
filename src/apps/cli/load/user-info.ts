/**
 * The user information file (kind UserInfo): who makes the request. Without one, policies see a request without user, and
 * matching by user is dropped.
 * SPEC: kyverno-surface.md section 8.2 (UserInfo).
 */
import type { UserInfo } from "#engine";
import type { JsonObject } from "#json";
import { InputReader, readInputDocument } from "./document.ts";
import type { Problem } from "./problem.ts";

export type Requester = {
  readonly userInfo: UserInfo;
  readonly roles: readonly string[];
  readonly clusterRoles: readonly string[];
};

export async function loadUserInfo(
  file: string,
): Promise<{ readonly requester?: Requester; readonly problems: readonly Problem[] }> {
  const { input, problems } = await readInputDocument(file, "UserInfo");
  if (input === undefined) return { problems };
  const reader = new InputReader(input.source, input.document);
  reader.checkNames(input.value, "", ["apiVersion", "kind", "metadata", "roles", "clusterRoles", "userInfo"]);
  const requester: Requester = {
    userInfo: decodeUser(reader, reader.object(input.value["userInfo"], "/userInfo")),
    roles: reader.texts(input.value["roles"], "/roles"),
    clusterRoles: reader.texts(input.value["clusterRoles"], "/clusterRoles"),
  };
  return { requester, problems: [...problems, ...reader.problems] };
}

function decodeUser(reader: InputReader, value: JsonObject): UserInfo {
  reader.checkNames(value, "/userInfo", ["username", "uid", "groups", "extra"]);
  const uid = reader.text(value["uid"], "/userInfo/uid");
  const extra = value["extra"];
  return {
    username: reader.text(value["username"], "/userInfo/username"),
    groups: reader.texts(value["groups"], "/userInfo/groups"),
    ...(uid === "" ? {} : { uid }),
    ...(extra === undefined ? {} : { extra: reader.object(extra, "/userInfo/extra") }),
  };
}
