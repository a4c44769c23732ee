import { Tabs as Kit } from '@base-ui/react/tabs'
import { type ReactNode, useEffect, useRef } from 'react'
import './tabs.css'

interface TabsProps<Key extends string> {
  label: string
  tabs: { key: Key; label: string }[]
  current: Key
  onChange: (key: Key) => void
  children: ReactNode
}

/** Tabs with one panel; the arrow keys change the tab at once. */
export function Tabs<Key extends string>({ label, tabs, current, onChange, children }: TabsProps<Key>) {
  const list = useRef<HTMLDivElement>(null)

  // Where the tabs are wider than the screen, the chosen one is scrolled to the middle; the page itself does not move.
  // biome-ignore lint/correctness/useExhaustiveDependencies: tabs that come later push the chosen one aside
  useEffect(() => {
    const row = list.current
    const chosen = row?.querySelector<HTMLElement>(`[data-tab="${current}"]`)
    if (row && chosen) row.scrollLeft = chosen.offsetLeft - (row.clientWidth - chosen.offsetWidth) / 2
  }, [current, tabs.length])

  return (
    <Kit.Root className="tabs-root" value={current} onValueChange={(key: Key) => onChange(key)}>
      <Kit.List ref={list} className="tabs" aria-label={label} activateOnFocus>
        {tabs.map((tab) => (
          <Kit.Tab key={tab.key} value={tab.key} data-tab={tab.key} className="tab">
            {tab.label}
          </Kit.Tab>
        ))}
      </Kit.List>
      <Kit.Panel value={current} tabIndex={undefined}>
        {children}
      </Kit.Panel>
    </Kit.Root>
  )
}
