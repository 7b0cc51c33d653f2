/** The formats of `apply`: for people, as a table, as policy reports. What a format needs is loaded only for it. */
import type { PolicyProgram, Verdict } from "#engine";
import type { Json, JsonObject } from "#json";
import type { World } from "#platform";
import type { ReportResult } from "#reports";
import { metadataText, resourceName, textMember } from "../../load/object-text.ts";
import { countedStatus } from "../../drive/tally.ts";
import { policyKey } from "../../load/policies.ts";
import { renderFindings } from "../../render/findings.ts";
import type { Paint } from "../../render/paint.ts";
import { renderCounts, renderSummary } from "../../render/summary.ts";
import type { TableRow } from "../../render/table.ts";
import type { ApplyOptions } from "./options.ts";
import type { Sink } from "./sink.ts";
import { unsupportedMessage } from "./sink.ts";

/** What sinks are made from. */
export type SinkParts = {
  readonly world: World;
  readonly options: ApplyOptions;
  readonly programs: readonly PolicyProgram[];
  readonly paint: Paint;
};

export async function createSink(parts: SinkParts): Promise<Sink> {
  const { world, options, paint } = parts;
  switch (options.format) {
    case "people":
      return peopleSink(world, paint);
    case "table":
      return tableSink(world, options, paint);
    case "report-json":
    case "report-yaml":
      return reportSink(parts);
  }
}

function peopleSink(world: World, paint: Paint): Sink {
  return {
    resource(loaded, _verdicts, findings) {
      if (findings.length === 0) return;
      world.stdout.write(renderFindings(loaded, findings, { paint, columns: world.stdout.columns }));
    },
    unsupported(policy) {
      const title = `${paint.magenta("✗")} ${paint.bold(`${policy.kind} ${policyKey(policy)}`)}  ${paint.dim(policy.origin.file)}`;
      world.stdout.write(`${title}\n  ${paint.magenta("ERROR")} ${unsupportedMessage(policy)}\n\n`);
    },
    end(summary) {
      world.stdout.write(renderSummary(summary, paint));
      world.stdout.write(renderCounts(summary.counts, paint));
    },
  };
}

async function tableSink(world: World, options: ApplyOptions, paint: Paint): Promise<Sink> {
  const { renderTable } = await import("../../render/table.ts");
  const rows: TableRow[] = [];
  return {
    resource({ resource }, verdicts) {
      const path = [
        metadataText(resource, "namespace"),
        textMember(resource, "kind"),
        resourceName(resource),
      ];
      for (const verdict of verdicts) {
        for (const result of verdict.rules) {
          rows.push({
            policy: verdict.policy,
            rule: result.rule,
            resource: path.filter((part) => part !== "").join("/"),
            status: countedStatus(result, verdict, options.auditWarn),
            message: result.message,
          });
        }
      }
    },
    unsupported(policy) {
      const message = unsupportedMessage(policy);
      rows.push({ policy: policyKey(policy), rule: "", resource: "", status: "error", message });
    },
    end(summary) {
      world.stdout.write(renderTable(rows, options.detailed, paint));
      world.stdout.write(renderCounts(summary.counts, paint));
    },
  };
}

async function reportSink({ world, options, programs }: SinkParts): Promise<Sink> {
  const { mergedReports, reportResults } = await import("#reports");
  const { printYaml } = await import("#json");
  const results: ReportResult[] = [];
  const reportOptions = { source: "postern", nowMs: world.nowMs(), auditWarn: options.auditWarn };
  const policies = new Map(programs.map(({ key, policy }) => [key, policy]));
  const add = (resource: JsonObject, verdict: Verdict): void => {
    const { background = true, admission = true } = policies.get(verdict.policy) ?? {};
    results.push(...reportResults({ resource, verdict, background, admission }, reportOptions));
  };
  return {
    resource({ resource }, verdicts) {
      for (const verdict of verdicts) add(resource, verdict);
    },
    unsupported(policy) {
      const rule = {
        rule: "",
        type: "Validation",
        status: "error",
        action: "Audit",
        emitWarning: false,
      } as const;
      const message = unsupportedMessage(policy);
      add(policy.raw, {
        kind: "verdict",
        policy: policyKey(policy),
        scored: true,
        rules: [{ ...rule, message }],
      });
    },
    end() {
      const reports = mergedReports(results);
      const print =
        options.format === "report-json"
          ? (report: Json) => `${JSON.stringify(report, null, 2)}\n`
          : (report: Json) => printYaml(report);
      world.stdout.write(reports.map((report) => print(decodeReport(report))).join("---\n"));
    },
  };
}

/** Reports are plain data; the compiler cannot see that optional members are never `undefined`. */
function decodeReport(report: object): Json {
  return JSON.parse(JSON.stringify(report)) as Json;
}
