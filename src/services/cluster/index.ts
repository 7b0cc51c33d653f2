/** Door of `#cluster`: what the cluster says, as the catalog and the gate read it. */
export { createRoleIndex } from "./role-index.ts";
export type { RoleIndex, Roles } from "./role-index.ts";
