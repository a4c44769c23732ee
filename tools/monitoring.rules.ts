/** What the alert rules and dashboards under `deploy/` ask of Prometheus, to be compared with what a product exports. */

/** Of Prometheus' own making. */
const NOT_OURS = new Set(['up', 'ALERTS'])
/** Words of expressions that a name could be taken for. */
const WORDS = new Set(['by', 'on', 'unless', 'and', 'or', 'without', 'ignoring', 'bool', 'offset', 'le'])
/** What a histogram exports besides its own name. */
const ENDS = /_(bucket|sum|count)$/

const SELECTED = /\{([^}]*)\}/g
const GROUPED = /\b(by|on|without|ignoring)\s*\(([^)]*)\)/g

export interface Alert {
  readonly name: string
  readonly expr: string
  readonly runbook: string
}

const field = (text: string, name: string): string =>
  new RegExp(`^\\s+(?:- )?${name}: (.+)$`, 'm').exec(text)?.[1] ?? ''

/** The alerts of a rules file; one line an expression. */
export function alertsOf(rules: string): Alert[] {
  return rules
    .split(/^(?=\s+- alert: )/m)
    .slice(1)
    .map((text) => ({
      name: field(text, 'alert'),
      expr: field(text, 'expr'),
      runbook: field(text, 'runbook'),
    }))
}

/** The expressions of a dashboard, wherever they stand in it. */
export function expressionsOf(dashboard: unknown): string[] {
  if (typeof dashboard !== 'object' || dashboard === null) return []
  return Object.entries(dashboard).flatMap(([key, value]) =>
    key === 'expr' && typeof value === 'string' ? [value] : expressionsOf(value),
  )
}

/** The metrics that an expression names. */
export function metricsIn(expr: string): string[] {
  const bare = expr
    .replace(SELECTED, ' ')
    .replace(GROUPED, ' ')
    .replace(/\[[^\]]*\]/g, ' ')
  const names = [...bare.matchAll(/[a-zA-Z_][a-zA-Z0-9_]*(?!\w*\s*\()/g)].map(([name]) => name)
  return [...new Set(names.filter((name) => !/^\d|^e\d*$/.test(name) && !WORDS.has(name)))]
}

/** Each metric with the labels that are selected of it: `[metric, label, value]`, the value null where a pattern is compared. */
function selectionsIn(expr: string): (readonly [string, string, string | null])[] {
  return [...expr.matchAll(/([a-zA-Z_]\w*)\{([^}]*)\}/g)].flatMap(([, metric = '', inside = '']) =>
    [...inside.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].map(
      ([, label = '', how = '', value = '']) => [metric, label, how === '=' ? value : null] as const,
    ),
  )
}

/** Names and samples of an exposition. */
export function exportedBy(exposition: string) {
  const names = new Set([...exposition.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name))
  const samples = [...exposition.matchAll(/^([a-zA-Z_]\w*)(?:\{(.*)\})? /gm)].map(
    ([, name = '', labels = '']) => ({
      name,
      labels: new Map(
        [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', value = '']) => [label, value]),
      ),
    }),
  )
  return { names, samples }
}

/**
 * What an expression asks for and no product exports. A label is compared where the product shows a sample of its metric; of a call
 * (`route`, `status`) any value may come.
 */
export function faultsOf(expr: string, { names, samples }: ReturnType<typeof exportedBy>): string[] {
  const isKnown = (name: string) => names.has(name) || (ENDS.test(name) && names.has(name.replace(ENDS, '')))
  const unknown = metricsIn(expr).filter((name) => !NOT_OURS.has(name) && !isKnown(name))
  const wrong = selectionsIn(expr).flatMap(([metric, label, value]) => {
    const shown = samples.filter(({ name }) => name === metric)
    if (shown.length === 0) return []
    const values = shown.flatMap(({ labels }) => labels.get(label) ?? [])
    if (values.length === 0) return [`${metric} has no label ${label}`]
    const isOpen = metric.startsWith('http_')
    return isOpen || value === null || values.includes(value) ? [] : [`${metric} has no ${label} ${value}`]
  })
  return [...unknown.map((name) => `nothing exports ${name}`), ...wrong]
}
