import { type RefObject, useEffect, useRef } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../../ui/Button.tsx'
import {
  IconArrowsMaximize,
  IconArrowsMinimize,
  IconDownload,
  IconFocusCentered,
  IconFoldDown,
  IconFoldUp,
  IconZoomIn,
  IconZoomOut,
} from '../../../../ui/icons.ts'
import { Menu } from '../../../../ui/Menu.tsx'
import { saveFile } from '../../../../ui/saveFile.ts'
import type { Chart } from '../chart/chart.ts'
import { MOST_EXPORTED, pngOf, svgOf } from '../chart/exportSvg.ts'
import type { Plot } from '../plot.ts'
import { useCardTexts } from '../useCardTexts.ts'

interface ToolbarProps {
  readonly chart: RefObject<Chart | null>
  readonly plot: Plot | null
  /** Without what moves a chart. */
  readonly isList: boolean
  readonly isFull: boolean
  readonly onFull: (isFull: boolean) => void
  readonly onOpenAll: () => void
  readonly onCloseAll: () => void
}

export const ZOOM_STEP = 1.3
/** The first tools move the chart. */
const CHART_TOOLS = 3

export function Toolbar({ chart, plot, isList, isFull, onFull, onOpenAll, onCloseAll }: ToolbarProps) {
  const { t } = useTranslation('genealogy/tree')
  useFullScreen(isFull, onFull)
  const bar = useRef<HTMLDivElement>(null)
  // All of it is in the middle of the board, which the window may show only the upper part of.
  const showAll = () => {
    bar.current?.parentElement?.scrollIntoView({ block: 'start' })
    chart.current?.showAll()
  }
  const tools = [
    { name: 'zoomOut', Icon: IconZoomOut, press: () => chart.current?.zoomBy(1 / ZOOM_STEP) },
    { name: 'zoomIn', Icon: IconZoomIn, press: () => chart.current?.zoomBy(ZOOM_STEP) },
    { name: 'fit', Icon: IconFocusCentered, press: showAll },
    { name: 'openAll', Icon: IconFoldDown, press: onOpenAll },
    { name: 'closeAll', Icon: IconFoldUp, press: onCloseAll },
  ] as const
  return (
    <div ref={bar} className="tree-tools" role="toolbar" aria-label={t('tools.label')} data-overlay>
      {tools.slice(isList ? CHART_TOOLS : 0).map(({ name, Icon, press }) => (
        <IconButton key={name} Icon={Icon} size={19} label={t(`tools.${name}`)} tip onClick={press} />
      ))}
      <IconButton
        Icon={isFull ? IconArrowsMinimize : IconArrowsMaximize}
        size={19}
        label={t(isFull ? 'tools.leaveFull' : 'tools.full')}
        tip
        onClick={() => onFull(!isFull)}
      />
      <Downloads plot={plot} />
    </div>
  )
}

function Downloads({ plot }: { plot: Plot | null }) {
  const { t } = useTranslation('genealogy/tree')
  const texts = useCardTexts()
  const download = async (kind: 'svg' | 'png') => {
    const picture = plot === null ? null : svgOf(plot, texts)
    if (picture === null) {
      toast.error(t('export.tooMany', { count: MOST_EXPORTED }))
      return
    }
    const svg = new Blob([picture.svg], { type: 'image/svg+xml' })
    const file = kind === 'svg' ? svg : await pngOf(picture)
    if (file === null) toast.error(t('export.failed'))
    else saveFile(file, `${t('export.name')}.${kind}`)
  }
  return (
    <Menu
      label={t('tools.download')}
      trigger={<IconDownload size={19} stroke={1.6} aria-hidden="true" />}
      side="top"
      items={(['png', 'svg'] as const).map((kind) => ({
        key: kind,
        label: t(`export.${kind}`),
        onSelect: () => void download(kind),
      }))}
    />
  )
}

/** The board takes the whole window, and the window the whole screen where the browser lets it. */
function useFullScreen(isFull: boolean, onFull: (isFull: boolean) => void): void {
  useEffect(() => {
    if (!isFull) return
    document.documentElement.requestFullscreen?.().catch(() => undefined)
    const left = () => {
      if (document.fullscreenElement === null) onFull(false)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && document.fullscreenElement === null) onFull(false)
    }
    document.addEventListener('fullscreenchange', left)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('fullscreenchange', left)
      document.removeEventListener('keydown', onKey)
      if (document.fullscreenElement !== null) document.exitFullscreen().catch(() => undefined)
    }
  }, [isFull, onFull])
}
