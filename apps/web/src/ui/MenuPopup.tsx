import { Menu as Kit } from '@base-ui/react/menu'
import type { ReactNode, RefObject } from 'react'

interface MenuItem {
  key: string
  label: string
  onSelect: () => void
  icon?: ReactNode
  /** For a choice among several; leave out for an action. */
  checked?: boolean
  lang?: string
}

export interface MenuContent {
  label: string
  /** Shown above the items. */
  head?: ReactNode
  side?: 'top' | 'bottom'
  items: readonly MenuItem[]
}

interface MenuPopupProps extends MenuContent {
  button: RefObject<HTMLButtonElement | null>
  onClose: () => void
}

export function MenuPopup({ label, head, side = 'bottom', items, button, onClose }: MenuPopupProps) {
  return (
    <Kit.Root
      open
      modal={false}
      onOpenChange={(_open, { event, reason }) => {
        // A press on the button closes the menu by itself.
        const onButton = event.target instanceof Node && button.current?.contains(event.target)
        if (reason !== 'outside-press' || !onButton) onClose()
      }}
    >
      <Kit.Portal>
        <Kit.Positioner className="menu-layer" anchor={button} side={side} align="end" sideOffset={8}>
          <div className="menu-panel">
            {head}
            <Kit.Popup
              className="menu-items"
              aria-label={label}
              finalFocus={button}
              onKeyDown={(event) => {
                if (event.key === 'Tab') onClose()
              }}
            >
              {items.map(({ key, label: text, icon, lang, checked, onSelect }, index) => (
                <Kit.Item
                  key={key}
                  className="menu-item"
                  // The menu opens with the focus on the first item that can be reached by Tab.
                  tabIndex={index === 0 ? 0 : -1}
                  {...(checked === undefined ? {} : { role: 'menuitemradio', 'aria-checked': checked })}
                  {...(lang === undefined ? {} : { lang })}
                  onClick={onSelect}
                >
                  {icon}
                  <span>{text}</span>
                </Kit.Item>
              ))}
            </Kit.Popup>
          </div>
        </Kit.Positioner>
      </Kit.Portal>
    </Kit.Root>
  )
}
