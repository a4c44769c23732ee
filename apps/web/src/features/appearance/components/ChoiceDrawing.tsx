import type { ChoiceName } from '../choices.ts'

const WIDTH = 84
const HEIGHT = 54

/** The ends of `class` names in the style sheet, and where the rectangle stands. A dot is a rectangle all corner. */
type Shape = readonly [
  looks: string,
  x: number,
  y: number,
  width: number,
  height: number,
  corners?: number | undefined,
]

/** What an option looks like, in a picture of 84 by 54. */
export function ChoiceDrawing({ name, value }: { name: ChoiceName; value: string }) {
  if (name === 'color') return <span className="swatch" data-theme={value} />
  if (name === 'font')
    return (
      <span className="centred font-sample" data-font={value} aria-hidden="true">
        Ag 123
      </span>
    )
  const shapes: Shape[] = [['page', 0, 0, WIDTH, HEIGHT], ...DRAWINGS[name](value)]
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className={name === 'scheme' ? `drawing drawing-${value}` : 'drawing'}
      aria-hidden="true"
      focusable="false"
    >
      {shapes.map(([looks, x, y, width, height, corners]) => (
        <rect
          key={`${looks} ${x} ${y} ${width}`}
          className={looks.replaceAll(/\S+/g, 'd-$&')}
          x={x}
          y={y}
          width={width}
          height={height}
          rx={corners}
        />
      ))}
      {value === 'show-on-hover' ? <path d="m24 30 7 3-3 1.2-1.2 3z" className="d-pointer" /> : null}
    </svg>
  )
}

const DRAWINGS: Record<Exclude<ChoiceName, 'color' | 'font'>, (value: string) => Shape[]> = {
  scheme: () => page(22),
  navigation: (value) => (value === 'vertical' ? page(22) : horizontal()),
  layout: (value) => (value === 'boxed' ? cards(20, 64, 14) : cards(4, 80, 14)),
  sidenav: (value) => SIZES[value]?.() ?? [],
  navSkin: (value) => page(24, value),
  navMenu: (value) => [
    ['nav', 12, 0, 60, HEIGHT],
    ...item(4, 'ink'),
    [value === 'solid' ? 'accent' : 'accent-soft', 17, 18, 50, 15, 4],
    ...item(19, value === 'solid' ? 'on-accent' : 'accent-text'),
    ...item(34, 'ink'),
  ],
  headerSkin: (value) => [...header(0, value), ...cards(6, 78, 20)],
  contentSkin: (value) => [
    [`card skin-${value}`, 10, 10, 64, 20],
    [`card skin-${value}`, 10, 36, 29, 24],
    [`card skin-${value}`, 45, 36, 29, 24],
  ],
}

const SIZES: Record<string, () => Shape[]> = {
  default: () => page(24),
  compact: () => [
    ...emptyNav(16),
    ...[6, 18, 30, 42].flatMap((y) => [dot(y === 6 ? 'accent' : 'ink', 8, y, 2.2), line(4, y + 4.5, 8)]),
  ],
  iconbar: iconBar,
  full: () => [...page(0), ['shade', 0, 0, WIDTH, HEIGHT], ...nav(28)],
  detach: () => [...header(0), ...cards(32, 80, 16), ['nav', 4, 4, 24, 46, 4], ...navLines(8, 16, 11)],
  fullscreen: () => [
    ...page(0),
    ['nav', 0, 0, WIDTH, HEIGHT],
    ['ink', 12, 7, 22, 4, 2],
    ...[12, 33, 54].flatMap((x) =>
      [19, 34].map((y): Shape => [x === 12 && y === 19 ? 'accent-soft' : 'card', x, y, 18, 11, 2]),
    ),
  ],
  'show-on-hover': () => [...iconBar(), ['ghost', 0.5, 0.5, 27, 53, 1]],
}

/** @param skin of the navigation; the plain one where it is left out */
function page(width: number, skin = ''): Shape[] {
  return [...(width > 0 ? nav(width, skin) : []), ...header(width), ...cards(width + 4, 80, 16)]
}

function horizontal(): Shape[] {
  const entries = [5, 20, 35, 50].map((x) => line(x, 14, 11, x === 5 ? 'accent current' : 'ink'))
  return [...header(0), ['nav', 0, 10, WIDTH, 8], ...entries, ...cards(5, 79, 23)]
}

function item(y: number, looks: string): Shape[] {
  return [
    [looks, 22, y + 4, 5, 5, 1.5],
    [looks, 32, y + 5, 26, 3, 1.5],
  ]
}

function nav(width: number, skin = ''): Shape[] {
  return [[`nav ${skin}`, 0, 0, width, HEIGHT], ...navLines(4, width - 8, 8, skin)]
}

function emptyNav(width: number): Shape[] {
  return [['nav', 0, 0, width, HEIGHT], ...header(width), ...cards(width + 4, 80, 16)]
}

function iconBar(): Shape[] {
  return [...emptyNav(11), ...[9, 19, 29, 39].map((y) => dot(y === 9 ? 'accent' : 'ink', 5.5, y, 2))]
}

function navLines(x: number, width: number, top: number, skin = ''): Shape[] {
  return [0, 9, 18, 27].map((step) =>
    line(
      x,
      top + step,
      step === 18 ? width * 0.75 : width,
      `${step === 0 ? 'accent current' : 'ink'} ${skin}`,
    ),
  )
}

function dot(looks: string, x: number, y: number, radius: number): Shape {
  return [looks, x - radius, y - radius, 2 * radius, 2 * radius, radius]
}

/** @param y of its middle */
function line(x: number, y: number, width: number, looks = 'ink'): Shape {
  return [looks, x, y - 1.5, width, 3, 1.5]
}

function header(left: number, skin = ''): Shape[] {
  return [[`nav ${skin}`, left, 0, WIDTH - left, 10], dot(`ink ${skin}`, 77, 5, 2.2)]
}

/** A wide card above two small ones. */
function cards(left: number, right: number, top: number): Shape[] {
  const half = (right - left - 3) / 2
  return [
    ['card', left, top, right - left, 14, 2],
    ['card', left, top + 17, half, 16, 2],
    ['card', left + half + 3, top + 17, half, 16, 2],
  ]
}
