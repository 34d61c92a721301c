/** What `deploy/` has Prometheus and Grafana ask for. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
}

export interface RuleFile {
  readonly groups: readonly { readonly name: string; readonly rules: readonly AlertRule[] }[];
}

/** An expression, and which panel of the dashboard has it. */
export interface PanelExpression {
  readonly panel: string;
  readonly expr: string;
  /** Labels that its legend names. */
  readonly labels: readonly string[];
}

export const deployPath = (name: string): string =>
  fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url));

export const deployText = (name: string): string => readFileSync(deployPath(name), "utf8");

export function alertRules(): readonly AlertRule[] {
  return (parse(deployText("alerts.yml")) as RuleFile).groups.flatMap(({ rules }) => rules);
}

/** With Grafana's own variables replaced as Grafana would: every instance, and `range`. */
export function panelExpressions(range: string): readonly PanelExpression[] {
  type Panel = { title: string; targets?: { expr: string; legendFormat: string }[] };
  const { panels } = JSON.parse(deployText("grafana-dashboard.json")) as { panels: Panel[] };
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({
      panel: title,
      expr: expr.replaceAll("$__rate_interval", range).replaceAll("$instance", ".*"),
      labels: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!),
    })),
  );
}
