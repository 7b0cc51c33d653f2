/** Postern's registrations for a set of policies. */
import type { RegistrationProvider } from "./provider.ts";
import { upstreamShape } from "./upstream-shape.ts";

export const posternRegistrations: RegistrationProvider = ({ policies, gate, timeoutSeconds, condition }) => {
  const [first] = policies;
  const failurePolicy = first?.spec["failurePolicy"] === "Ignore" ? "Ignore" : "Fail";
  const server =
    "request.userInfo.username == 'system:apiserver' && 'system:masters' in request.userInfo.groups";
  return Promise.resolve([
    upstreamShape(
      {
        failurePolicy,
        timeoutSeconds,
        kind: "ValidatingWebhookConfiguration",
        condition: `!(${server})${condition === undefined ? "" : ` && (${condition})`}`,
      },
      gate,
    ),
  ]);
};
