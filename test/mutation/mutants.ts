/** All mutants, by area. */
import { autogenMutants, policyMutants } from "./areas/autogen.ts";
import { conditionMutants } from "./areas/conditions.ts";
import { contextMutants, variableMutants } from "./areas/context.ts";
import { decideMutants, reportMutants } from "./areas/decide.ts";
import { kindMutants, matchMutants } from "./areas/match.ts";
import { patternMutants } from "./areas/pattern.ts";
import { evaluationMutants, ruleMutants } from "./areas/rules.ts";
import type { Mutant } from "./mutant.ts";

export const mutants: readonly Mutant[] = [
  ...matchMutants,
  ...kindMutants,
  ...patternMutants,
  ...conditionMutants,
  ...variableMutants,
  ...contextMutants,
  ...ruleMutants,
  ...evaluationMutants,
  ...decideMutants,
  ...reportMutants,
  ...autogenMutants,
  ...policyMutants,
];
