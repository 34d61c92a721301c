/** The map of a guide: its steps as boxes, laid out from the first one downward, and the ways between them as lines. */
import { Graph, layout } from "/editor/assets/dagre/dagre.esm.js";
import { el, oneStop } from "./dom.js";
import { type Link, linksOf, type Row } from "./ghosts.js";
import type { Session } from "./guide.js";
import { notesOf, type OnStep, stepButton } from "./outline.js";
import { say } from "./strings.js";

/** Of a box, and of the name of a way, in CSS pixels. */
const BOX_PX = 176;
const BOX_PX_HIGH = 72;
/** Of a box that has something to tell besides its name. */
const NOTED_PX_HIGH = 92;
/** How small the map may become so that all of it is seen. */
const SCALE_MIN = 0.7;
const NAME_PX_MAX = 150;
const NAME_PX_HIGH = 24;
const CHAR_PX = 8;
/** Between boxes beside and below each other, and around all of them. */
const GAPS = { nodesep: 20, ranksep: 34, edgesep: 20, marginx: 16, marginy: 16 };

const SVG = "http://www.w3.org/2000/svg";

interface Point {
  readonly x: number;
  readonly y: number;
}

export function showTree(part: HTMLElement, rows: readonly Row[], session: Session, onStep: OnStep): void {
  const links = linksOf(rows, session.guide.flow_type, say("field_otherwise"));
  const heights = new Map(rows.map((row) => [row.step.id, heightOf(row, session)]));
  const graph = laidOut(heights, links);
  const { height = 0, width = 0 } = graph.graph() as { readonly height?: number; readonly width?: number };
  const lines = document.createElementNS(SVG, "svg");
  lines.setAttribute("aria-hidden", "true");
  lines.setAttribute("width", `${width}`);
  lines.setAttribute("height", `${height}`);
  const names: HTMLElement[] = [];
  for (const [at, link] of links.entries()) {
    const { points, x, y } = graph.edge({ v: link.from, w: link.to, name: `${at}` }) as Point & {
      readonly points: readonly Point[];
    };
    lines.append(...lineOf(points, link.ghost));
    if (link.label === "") continue;
    const name = el("span", { className: "way", ariaHidden: "true", textContent: link.label });
    names.push(placed(name, { x, y }, widthOf(link), NAME_PX_HIGH));
  }
  const boxes = rows.map((row) => {
    const box = stepButton(row, session, onStep);
    return placed(box, graph.node(row.step.id) as unknown as Point, BOX_PX, heights.get(row.step.id)!);
  });
  const sheet = el("div", { className: "sheet" }, lines, ...names, ...boxes);
  Object.assign(sheet.style, { width: `${width}px`, height: `${height}px` });
  sheet.style.zoom = `${Math.max(SCALE_MIN, Math.min(1, part.clientWidth / width))}`;
  part.replaceChildren(sheet);
  oneStop(part);
}

function heightOf(row: Row, session: Session): number {
  return notesOf(row, session).length > 0 ? NOTED_PX_HIGH : BOX_PX_HIGH;
}

function laidOut(heights: ReadonlyMap<string, number>, links: readonly Link[]) {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", ...GAPS });
  for (const [id, height] of heights) graph.setNode(id, { width: BOX_PX, height });
  for (const [at, link] of links.entries()) {
    const label = link.label === "" ? {} : { width: widthOf(link), height: NAME_PX_HIGH, labelpos: "c" };
    graph.setEdge(link.from, link.to, label, `${at}`);
  }
  layout(graph);
  return graph;
}

function widthOf({ label }: Link): number {
  return Math.min(NAME_PX_MAX, label.length * CHAR_PX + CHAR_PX);
}

/** Its middle is there. */
function placed<E extends HTMLElement>(element: E, { x, y }: Point, width: number, height: number): E {
  const [left, top] = [x - width / 2, y - height / 2];
  Object.assign(element.style, {
    left: `${left}px`,
    top: `${top}px`,
    width: `${width}px`,
    height: `${height}px`,
  });
  return element;
}

/** A line with the point of an arrow at its end. */
function lineOf(points: readonly Point[], ghost: boolean): readonly SVGElement[] {
  const end = points.at(-1)!;
  const before = points.at(-2) ?? end;
  const turn = (Math.atan2(end.y - before.y, end.x - before.x) * 180) / Math.PI;
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", `M${points.map(({ x, y }) => `${x} ${y}`).join("L")}`);
  const arrow = document.createElementNS(SVG, "path");
  arrow.setAttribute("d", "M0 0L-9 -5L-9 5Z");
  arrow.setAttribute("transform", `translate(${end.x} ${end.y}) rotate(${turn})`);
  arrow.classList.add("arrow");
  if (ghost) for (const part of [line, arrow]) part.classList.add("ghost");
  return [line, arrow];
}
