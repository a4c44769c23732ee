import type { ReactNode } from 'react'
import type { ChoiceName } from '../choices.ts'

const WIDTH = 84
const HEIGHT = 54

/** What an option looks like, in a picture of 84 by 54. */
export function ChoiceDrawing({ name, value }: { name: ChoiceName; value: string }) {
  if (name === 'color') return <span className="swatch" data-theme={value} />
  if (name === 'font')
    return (
      <span className="centred font-sample" data-font={value} aria-hidden="true">
        Ag 123
      </span>
    )
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className={name === 'scheme' ? `drawing drawing-${value}` : 'drawing'}
      aria-hidden="true"
      focusable="false"
    >
      <rect width={WIDTH} height={HEIGHT} fill="var(--d-page)" />
      {DRAWINGS[name](value)}
    </svg>
  )
}

const DRAWINGS: Record<Exclude<ChoiceName, 'color' | 'font'>, (value: string) => ReactNode> = {
  scheme: () => page(22),
  navigation: (value) => (value === 'vertical' ? page(22) : horizontal()),
  layout: (value) => <Cards left={value === 'boxed' ? 20 : 4} right={value === 'boxed' ? 64 : 80} top={14} />,
  sidenav: (value) => SIZES[value]?.(),
  navSkin: (value) => page(24, `d-${value}`),
  navMenu,
  headerSkin: (value) => (
    <>
      <Header left={0} skin={`d-${value}`} />
      <Cards left={6} right={78} top={20} />
    </>
  ),
  contentSkin: (value) => (
    <>
      <rect x="10" y="10" width="64" height="20" className={`d-card d-skin-${value}`} />
      <rect x="10" y="36" width="29" height="24" className={`d-card d-skin-${value}`} />
      <rect x="45" y="36" width="29" height="24" className={`d-card d-skin-${value}`} />
    </>
  ),
}

const SIZES: Record<string, () => ReactNode> = {
  default: () => page(24),
  compact: () => (
    <>
      {page(16, undefined, false)}
      {[9, 21, 33, 45].map((y) => (
        <g key={y}>
          <circle cx="8" cy={y - 3} r="2.2" className={y === 9 ? 'd-accent' : 'd-ink'} />
          <Line x={4} y={y + 1.5} width={8} />
        </g>
      ))}
    </>
  ),
  iconbar: iconBar,
  full: () => (
    <>
      {page(0)}
      <rect width={WIDTH} height={HEIGHT} fill="var(--backdrop)" />
      <Nav width={28} />
    </>
  ),
  detach: () => (
    <>
      <Header left={0} />
      <Cards left={32} right={80} top={16} />
      <rect x="4" y="4" width="24" height="46" rx="4" className="d-nav" />
      <NavLines x={8} width={16} top={11} />
    </>
  ),
  fullscreen: () => (
    <>
      {page(0)}
      <rect width={WIDTH} height={HEIGHT} className="d-nav" />
      <Line x={12} y={9} width={22} strong />
      {[12, 33, 54].map((x) =>
        [19, 34].map((y) => (
          <rect
            key={`${x} ${y}`}
            x={x}
            y={y}
            width="18"
            height="11"
            rx="2"
            className={x === 12 && y === 19 ? 'd-accent-soft' : 'd-card'}
          />
        )),
      )}
    </>
  ),
  'show-on-hover': () => (
    <>
      {iconBar()}
      <rect x="0.5" y="0.5" width="27" height="53" rx="1" className="d-ghost" />
      <path d="m24 30 7 3-3 1.2-1.2 3z" fill="var(--text)" />
    </>
  ),
}

function page(nav: number, skin?: string, lines = true) {
  return (
    <>
      {nav > 0 ? <Nav width={nav} skin={skin} lines={lines} /> : null}
      <Header left={nav} />
      <Cards left={nav + 4} right={80} top={16} />
    </>
  )
}

function horizontal() {
  return (
    <>
      <Header left={0} />
      <rect y="10" width={WIDTH} height="8" className="d-nav" />
      {[5, 20, 35, 50].map((x) => (
        <Line key={x} x={x} y={14} width={11} accent={x === 5} />
      ))}
      <Cards left={5} right={79} top={23} />
    </>
  )
}

function navMenu(value: string) {
  const solid = value === 'solid'
  return (
    <>
      <rect x="12" y="0" width="60" height={HEIGHT} className="d-nav" />
      <Row y={4} fill="var(--d-ink)" />
      <rect x="17" y="18" width="50" height="15" rx="4" className={solid ? 'd-accent' : 'd-accent-soft'} />
      <Row y={19} fill={solid ? 'var(--on-accent)' : 'var(--accent-text)'} />
      <Row y={34} fill="var(--d-ink)" />
    </>
  )
}

function Row({ y, fill }: { y: number; fill: string }) {
  return (
    <g fill={fill}>
      <rect x="22" y={y + 4} width="5" height="5" rx="1.5" />
      <rect x="32" y={y + 5} width="26" height="3" rx="1.5" />
    </g>
  )
}

interface NavProps {
  width: number
  skin?: string | undefined
  lines?: boolean
}

function Nav({ width, skin, lines = true }: NavProps) {
  return (
    <g className={skin}>
      <rect width={width} height={HEIGHT} className="d-nav" />
      {lines ? <NavLines x={4} width={width - 8} top={8} /> : null}
    </g>
  )
}

function NavLines({ x, width, top }: { x: number; width: number; top: number }) {
  return [0, 9, 18, 27].map((step) => (
    <Line key={step} x={x} y={top + step} width={step === 18 ? width * 0.75 : width} accent={step === 0} />
  ))
}

function iconBar() {
  return (
    <>
      {page(11, undefined, false)}
      {[9, 19, 29, 39].map((y) => (
        <circle key={y} cx={5.5} cy={y} r="2" className={y === 9 ? 'd-accent' : 'd-ink'} />
      ))}
    </>
  )
}

interface LineProps {
  x: number
  y: number
  width: number
  accent?: boolean
  strong?: boolean
}

function Line({ x, y, width, accent = false, strong = false }: LineProps) {
  const height = strong ? 4 : 3
  return (
    <rect
      x={x}
      y={y - height / 2}
      width={width}
      height={height}
      rx={height / 2}
      className={accent ? 'd-accent d-current' : 'd-ink'}
    />
  )
}

function Header({ left, skin }: { left: number; skin?: string }) {
  return (
    <g className={skin}>
      <rect x={left} width={WIDTH - left} height="10" className="d-nav" />
      <circle cx="77" cy="5" r="2.2" className="d-ink" />
    </g>
  )
}

/** A wide card above two small ones. */
function Cards({ left, right, top }: { left: number; right: number; top: number }) {
  const half = (right - left - 3) / 2
  return (
    <>
      <rect x={left} y={top} width={right - left} height="14" rx="2" className="d-card" />
      <rect x={left} y={top + 17} width={half} height="16" rx="2" className="d-card" />
      <rect x={left + half + 3} y={top + 17} width={half} height="16" rx="2" className="d-card" />
    </>
  )
}
