import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import './menu.css'

interface MenuProps {
  label: string
  trigger: ReactNode
  triggerClass?: string
  /** Above the items: who is signed in, for example. */
  head?: ReactNode
  children: ReactNode
}

const ITEMS = '[role="menuitem"], [role="menuitemradio"]'

/** A menu button as WAI-ARIA describes it: arrows move, Escape closes and gives the focus back. */
export function Menu({ label, trigger, triggerClass = 'icon-button', head, children }: MenuProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const items = () => [...(box.current?.querySelectorAll<HTMLElement>(ITEMS) ?? [])]

  useEffect(() => {
    if (!open) return
    box.current?.querySelector<HTMLElement>(ITEMS)?.focus()
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) setOpen(false)
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [open])

  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const list = items()
    const here = list.indexOf(document.activeElement as HTMLElement)
    const moves: Record<string, number> = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: -1 }
    const move = moves[event.key]
    if (event.key === 'Escape') close()
    else if (event.key === 'Tab') setOpen(false)
    else if (move !== undefined) list.at(move % list.length)?.focus()
    else return
    if (event.key !== 'Tab') event.preventDefault()
  }

  return (
    <div className="menu" ref={box}>
      <button
        type="button"
        ref={button}
        className={triggerClass}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        {trigger}
      </button>
      {open ? (
        <div className="menu-panel">
          {head}
          <div id={id} role="menu" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown} onClick={close}>
            {children}
          </div>
        </div>
      ) : null}
    </div>
  )
}

interface MenuItemProps {
  onSelect: () => void
  icon?: ReactNode
  /** For a choice among several; leave out for an action. */
  checked?: boolean
  lang?: string
  children: ReactNode
}

export function MenuItem({ onSelect, icon, checked, lang, children }: MenuItemProps) {
  const role =
    checked === undefined ? { role: 'menuitem' } : { role: 'menuitemradio', 'aria-checked': checked }
  return (
    <button type="button" {...role} lang={lang} tabIndex={-1} className="menu-item" onClick={onSelect}>
      {icon}
      <span>{children}</span>
    </button>
  )
}
