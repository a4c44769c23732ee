import type { ReactNode } from 'react'
import { Brand } from '../ui/Brand.tsx'
import './layouts.css'
import { LanguageMenu } from './shell/LanguageMenu.tsx'
import { SchemeToggle } from './shell/SchemeToggle.tsx'

/** The logo, the language and the theme, above every page outside the shell. */
export function PublicHead() {
  return (
    <header className="public-head row-8 row-apart one-line">
      <Brand />
      <div className="public-tools">
        <LanguageMenu />
        <SchemeToggle />
      </div>
    </header>
  )
}

/** One message in the middle of the window. */
export function BareLayout({ children }: { children: ReactNode }) {
  return (
    <div className="public">
      <PublicHead />
      <main className="bare-main">{children}</main>
    </div>
  )
}
