import { Link } from '@tanstack/react-router';
import { MultiDirectedGraph } from 'graphology';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Sigma } from 'sigma';
import type { NodeHoverDrawingFunction } from 'sigma/rendering';
import { callTool, type Output } from '../../api/call.ts';
import { useTool } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Answer, Note } from '../../kit/feedback.tsx';
import { say, sayError } from '../../kit/toast.tsx';
import { type LayoutEdge, startPlaces, stepLayout } from './force-layout.ts';
import { plural, toLabel, useEntityNames } from './value.tsx';

type Related = Output<'get_related_entities'>;

const nodesCount = 500;
const stepsCount = 240;
const sliceMs = 12;
const settledMove = 0.004;
const labelChars = 60;
/** Where there are many, long labels would cover each other. */
const shortLabelChars = 24;
/** In a graph of this size every label has room. */
const namedNodesCount = 30;

const colourOf = (element: Element, name: string): string => getComputedStyle(element).getPropertyValue(name).trim();

/** Sigma draws with WebGL, which knows no OKLCH: a canvas translates. */
function toRgb(colour: string): string {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return '#888888';
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
  return `rgb(${r}, ${g}, ${b})`;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Nodes and edges of the answer; the entity in the middle comes first. Those that were drawn before stay in place. */
function toLayout(related: Related, entityId: string, drawn: ReadonlyMap<string, Place>) {
  const ids = [...new Set([entityId, ...related.entities.map(({ entity_id }) => entity_id)])];
  const places = new Map(ids.map((id, i) => [id, i]));
  const edges: LayoutEdge[] = related.relationships.flatMap(({ source_entity_id, target_entity_id }) => {
    const source = places.get(source_entity_id);
    const target = places.get(target_entity_id);
    return source === undefined || target === undefined ? [] : [{ source, target }];
  });
  const nodes = startPlaces(ids);
  for (const node of nodes) Object.assign(node, drawn.get(node.id));
  // What is new begins beside what it is linked to.
  for (const { source, target } of edges) {
    for (const [known, fresh] of [
      [nodes[source]!, nodes[target]!],
      [nodes[target]!, nodes[source]!],
    ] as const) {
      const place = drawn.get(known.id);
      if (place !== undefined && !drawn.has(fresh.id))
        Object.assign(fresh, { x: place.x + 0.1 * Math.cos(fresh.x), y: place.y + 0.1 * Math.sin(fresh.x) });
    }
  }
  return { nodes, edges };
}

const isCrowded = ({ entities }: Related): boolean => entities.length >= namedNodesCount;

/** The whole name is shown under the pointer. */
function toNodeLabel(name: string, related: Related): string {
  const chars = isCrowded(related) ? shortLabelChars : labelChars;
  return name.length > chars ? `${name.slice(0, chars)}…` : name;
}

/** The name of the entity under the pointer, in the colours of the theme: those of Sigma are for light pages only. */
const drawHover =
  (background: string, border: string, ink: string): NodeHoverDrawingFunction =>
  (context, { x, y, size, label }, { labelSize, labelFont }) => {
    if (!label) return;
    context.font = `${labelSize}px ${labelFont}`;
    const place = [
      x - size - 4,
      y - labelSize,
      context.measureText(label).width + 2 * size + 14,
      2 * labelSize,
    ] as const;
    context.fillStyle = background;
    context.fillRect(...place);
    context.strokeStyle = border;
    context.strokeRect(...place);
    context.fillStyle = ink;
    context.fillText(label, x + size + 3, y + labelSize / 3);
  };

interface CanvasProps {
  readonly related: Related;
  readonly entityId: string;
  readonly name: string;
  readonly chosen: string | undefined;
  readonly onChoose: (entityId: string) => void;
}

function Canvas({ related, entityId, name, chosen, onChoose }: CanvasProps) {
  const place = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState(false);
  const [isSettled, setSettled] = useState(false);
  const drawn = useRef<MultiDirectedGraph>(undefined);
  const places = useRef(new Map<string, Place>());
  const wholeNames = useRef(new Map<string, string>());
  const nameOf = useEntityNames(related.entities.map(({ entity_id }) => entity_id));

  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const ink = toRgb(colourOf(element, 'color'));
    const [truth, accent, line, raised] = ['--truth', '--accent', '--line-strong', '--raised'].map((variable) => {
      element.style.color = `var(${variable})`;
      const colour = toRgb(getComputedStyle(element).color);
      element.style.color = '';
      return colour;
    }) as [string, string, string, string];
    const graph = new MultiDirectedGraph();
    drawn.current = graph;
    const isFresh = places.current.size === 0;
    const { nodes, edges } = toLayout(related, entityId, places.current);
    const heads = new Map(related.entities.map((entity) => [entity.entity_id, entity]));
    // Many nodes are drawn smaller, so that they do not hide each other.
    const nodePx = nodes.length > 200 ? 3 : nodes.length > 60 ? 5 : 7;
    for (const { id, x, y } of nodes) {
      const head = heads.get(id);
      graph.addNode(id, {
        x,
        y,
        label: id === entityId ? name.slice(0, labelChars) : '',
        size: nodePx + (id === entityId ? 3 : head?.hops === 1 ? 1 : 0),
        color: id === entityId ? accent : truth,
      });
    }
    for (const { source, target } of edges)
      graph.addEdge(nodes[source]!.id, nodes[target]!.id, { size: 1, color: line });
    let sigma: Sigma;
    try {
      sigma = new Sigma(graph, element, {
        labelColor: { color: ink },
        labelFont: 'system-ui, sans-serif',
        labelSize: 12,
        // In a large graph only the nearest entities have a label, until one zooms in.
        labelRenderedSizeThreshold: isCrowded(related) ? nodePx + 1 : 0,
        labelDensity: isCrowded(related) ? 0.5 : namedNodesCount,
        labelGridCellSize: isCrowded(related) ? 220 : 100,
        defaultDrawNodeHover: drawHover(raised, line, ink),
        allowInvalidContainer: true,
      });
    } catch {
      setProblem(true);
      return;
    }
    const showLabel = (node: string, toShown: (whole: string) => string): void => {
      const whole = wholeNames.current.get(node);
      if (whole !== undefined) graph.setNodeAttribute(node, 'label', toShown(whole));
    };
    sigma.on('enterNode', ({ node }) => showLabel(node, (whole) => whole));
    sigma.on('leaveNode', ({ node }) => showLabel(node, (whole) => toNodeLabel(whole, related)));
    sigma.on('clickNode', ({ node }) => onChoose(node));
    setSettled(false);
    // With less heat, what was drawn before stays about where it was.
    const heat = isFresh ? 0.6 : 0.1;
    let steps = 0;
    let frame = 0;
    function run() {
      const end = performance.now() + sliceMs;
      let move = Number.POSITIVE_INFINITY;
      while (steps < stepsCount && performance.now() < end && move > settledMove) {
        move = stepLayout(nodes, edges, heat * (1 - steps / stepsCount) + 0.002);
        steps += 1;
      }
      for (const { id, x, y } of nodes) {
        graph.mergeNodeAttributes(id, { x, y });
        places.current.set(id, { x, y });
      }
      // Frozen once it has settled: nothing moves under the pointer.
      if (steps < stepsCount && move > settledMove) frame = requestAnimationFrame(run);
      else setSettled(true);
    }
    frame = requestAnimationFrame(run);
    return () => {
      cancelAnimationFrame(frame);
      sigma.kill();
    };
  }, [related, entityId, name, onChoose]);
  // Names may come later: the layout stays.
  useEffect(() => {
    for (const entity of related.entities) {
      if (entity.entity_id === entityId || !drawn.current?.hasNode(entity.entity_id)) continue;
      const whole = nameOf(entity);
      wholeNames.current.set(entity.entity_id, whole);
      drawn.current.setNodeAttribute(entity.entity_id, 'label', toNodeLabel(whole, related));
    }
  }, [related, entityId, nameOf]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new drawing marks the chosen entity again
  useEffect(() => {
    drawn.current?.forEachNode((id) => drawn.current?.setNodeAttribute(id, 'highlighted', id === chosen));
  }, [chosen, related]);

  if (problem)
    return <Note>This browser cannot draw the graph (WebGL is off). The list below shows the same links.</Note>;
  return (
    <div
      className="truth-graph"
      ref={place}
      role="img"
      aria-label={`Graph of ${plural(related.entities.length, 'entity', 'entities')} around ${name}`}
      data-settled={isSettled}
    />
  );
}

/** What was found around several entities, as one graph. */
function join(found: readonly Related[]): Related {
  const [first] = found;
  // The first one of each stays: it knows how far it is from the middle.
  const by = <T,>(items: readonly T[], idOf: (item: T) => string) =>
    [...new Map(items.toReversed().map((item) => [idOf(item), item])).values()].toReversed();
  return {
    ...first!,
    entities: by(
      found.flatMap(({ entities }) => entities),
      ({ entity_id }) => entity_id,
    ).slice(0, nodesCount),
    relationships: by(
      found.flatMap(({ relationships }) => relationships),
      ({ id }) => id,
    ),
  };
}

interface ChosenProps {
  readonly entity: Related['entities'][number] | undefined;
  readonly times: Times;
  /** Undefined if no more has room. */
  readonly onExpand: ((entityId: string) => void) | undefined;
}

/** The entity that was clicked, with what can be done with it. */
function Chosen({ entity, times, onExpand }: ChosenProps) {
  const nameOf = useEntityNames(entity === undefined ? [] : [entity.entity_id]);
  if (entity === undefined) return <p className="soft">Scroll to zoom. Click an entity to open or to expand it.</p>;
  const { entity_id, entity_type } = entity;
  return (
    <div className="row wrap" role="status">
      <strong>
        <bdi>{nameOf(entity)}</bdi>
      </strong>
      <span className="soft">{toLabel(entity_type)}</span>
      <Link className="button" to={`/truth/${entity_id}` as never} search={{ graph: '1', ...times } as never}>
        Open
      </Link>
      {onExpand && <Button onClick={() => onExpand(entity_id)}>Expand</Button>}
    </div>
  );
}

/** The time of the question goes along to the next entity. */
type Times = { readonly at?: string; readonly as_known_at?: string };

interface GraphProps {
  readonly entityId: string;
  readonly name: string;
  readonly times: Times;
}

/** Up to 500 entities: those within two steps, and the neighbours of those that one expands. */
export function Graph({ entityId, name, times }: GraphProps) {
  const [chosen, setChosen] = useState<string>();
  const [expanded, setExpanded] = useState<readonly { readonly moment: string; readonly found: Related }[]>([]);
  const related = useTool(
    'get_related_entities',
    { entity_id: entityId, max_hops: 2, limit: nodesCount, ...times },
    { keepsPrevious: true },
  );
  // What is linked at one time says nothing about another.
  const moment = JSON.stringify(times);
  const joined = useMemo(() => {
    const more = expanded.flatMap((one) => (one.moment === moment ? [one.found] : []));
    return related.data && join([related.data, ...more]);
  }, [related.data, expanded, moment]);
  const known = new Set([entityId, ...(joined?.entities ?? []).map(({ entity_id }) => entity_id)]);
  const expand = (entity_id: string) =>
    void callTool('get_related_entities', { entity_id, max_hops: 1, limit: nodesCount, ...times })
      .then((found) => {
        if (found.entities.every((one) => known.has(one.entity_id))) say('All that is linked to it is shown.');
        else setExpanded((before) => [...before, { moment, found }]);
      })
      .catch(sayError);
  return (
    <Answer of={{ ...related, data: joined }}>
      {(data) => (
        <>
          <Canvas related={data} entityId={entityId} name={name} chosen={chosen} onChoose={setChosen} />
          <Chosen
            entity={data.entities.find(({ entity_id }) => entity_id === chosen)}
            times={times}
            onExpand={data.entities.length < nodesCount ? expand : undefined}
          />
          <p className="soft">
            {plural(data.entities.length, 'entity', 'entities')}{' '}
            {joined?.entities.length === related.data?.entities.length ? 'within two steps' : 'shown'}
            {(data.truncated || data.entities.length === nodesCount) && `, the nearest ${nodesCount}`}:{' '}
            {[
              ...new Set(data.relationships.map(({ relationship_type }) => toLabel(relationship_type.toLowerCase()))),
            ].join(', ')}
            .
          </p>
        </>
      )}
    </Answer>
  );
}
