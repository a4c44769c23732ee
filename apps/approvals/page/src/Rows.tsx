/** A list of any length: only the rows in sight are drawn, and the page scrolls as one. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { windowOf } from './list.rules.ts'

interface RowsProps<Item> {
  readonly items: readonly Item[]
  readonly label: string
  readonly keyOf: (item: Item) => string
  readonly children: (item: Item) => ReactNode
}

/** Rows are as high as the style sheet says, at every width. */
const heightOf = (list: HTMLElement): number =>
  Number(getComputedStyle(list).getPropertyValue('--row-height').replace('px', '')) || 96

export function Rows<Item>({ items, label, keyOf, children }: RowsProps<Item>) {
  const list = useRef<HTMLUListElement>(null)
  const [view, setView] = useState({ first: 0, after: 20, height: 96 })
  const count = items.length
  useEffect(() => {
    const look = () => {
      const element = list.current
      if (element === null) return
      const height = heightOf(element)
      const [first, after] = windowOf(-element.getBoundingClientRect().top, innerHeight, height, count)
      setView((before) =>
        before.first === first && before.after === after && before.height === height
          ? before
          : { first, after, height },
      )
    }
    look()
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', look)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', look)
    }
  }, [count])
  const { first, after, height } = view
  const shown = items.slice(first, after)
  const padding = {
    paddingTop: first * height,
    paddingBottom: Math.max(0, count - first - shown.length) * height,
  }
  return (
    <ul ref={list} className="rows" aria-label={label} style={padding}>
      {shown.map((item, at) => (
        <li key={keyOf(item)} className="rows-item" aria-setsize={count} aria-posinset={first + at + 1}>
          {children(item)}
        </li>
      ))}
    </ul>
  )
}
