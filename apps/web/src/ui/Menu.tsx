import { type ReactNode, useRef, useState } from 'react'
import { lazyPart } from './lazyPart.ts'
import './menu.css'
import type { MenuContent } from './MenuPopup.tsx'
import { Overlay } from './Overlay.tsx'

interface MenuProps extends MenuContent {
  trigger: ReactNode
  triggerClass?: string
}

const MenuPopup = lazyPart(async () => ({ default: (await import('./MenuPopup.tsx')).MenuPopup }))
export const prefetchMenu = MenuPopup.prefetch

/** A menu button. The menu's behaviour is Base UI's, which is fetched when the button is reached. */
export function Menu({ label, trigger, triggerClass = 'icon-button', ...content }: MenuProps) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => setOpen(false)
  return (
    <div className="menu">
      <button
        type="button"
        ref={button}
        className={triggerClass}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        onPointerEnter={prefetchMenu}
        onFocus={prefetchMenu}
        onClick={() => setOpen(!open)}
      >
        {trigger}
      </button>
      {open ? (
        <Overlay onClose={close}>
          <MenuPopup {...content} label={label} button={button} onClose={close} />
        </Overlay>
      ) : null}
    </div>
  )
}
