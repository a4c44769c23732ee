import { type Ability, EXPORT_FORMATS, type ExportFormat, ROWS_ABOUT } from '@aval/contract'
import { useEffect, useRef, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { formats } from '../../../ui/format.ts'
import { IconAlertCircle, IconDownload } from '../../../ui/icons.ts'
import { Menu } from '../../../ui/Menu.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { saveFile } from '../../../ui/saveFile.ts'
import { useFailureText } from '../../../ui/useFailureText.ts'
import { useAbilities } from '../abilities.ts'
import { openExport } from './openExport.ts'
import { readExport } from './readExport.ts'
import './export.css'

interface Progress {
  readonly rows: number
  /** About how many there will be. */
  readonly about: number
}

/** Rows come faster than a screen can show them. */
const SHOW_EVERY_MS = 200

const nameOf = (answer: Response, format: ExportFormat) =>
  /filename="([\w.-]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? `aval.${format}`

/** One export at a time, which goes on until it is saved, cancelled or broken off. */
function useExport(path: string) {
  const { t } = useTranslation('console/shared')
  const sayFailure = useFailureText()
  const [progress, setProgress] = useState<Progress | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const run = async (format: ExportFormat, signal: AbortSignal) => {
    const opened = await openExport(path, format, signal)
    if (signal.aborted) return
    if ('error' in opened) return setProblem(sayFailure(opened.error))
    const { answer } = opened
    const about = Number(answer.headers.get(ROWS_ABOUT) ?? 0)
    let shownAt = 0
    const read = await readExport(answer.body ?? new ReadableStream(), format, (rows) => {
      if (signal.aborted || Date.now() - shownAt < SHOW_EVERY_MS) return
      shownAt = Date.now()
      setProgress({ rows, about })
    })
    if (signal.aborted) return
    if (!read.isWhole)
      return setProblem(t('export.broken', { count: read.rows, rows: formats.count(read.rows) }))
    saveFile(read.file, nameOf(answer, format))
    toast.success(t('export.saved', { count: read.rows, rows: formats.count(read.rows) }))
  }
  const start = async (format: ExportFormat) => {
    const controller = new AbortController()
    running.current = controller
    setProblem(null)
    setProgress({ rows: 0, about: 0 })
    await run(format, controller.signal)
    if (running.current === controller) setProgress(null)
  }
  const cancel = () => {
    running.current?.abort()
    running.current = null
    setProgress(null)
  }
  return { progress, problem, start, cancel }
}

interface ExportButtonProps {
  /** Of the call, with the filters of what is shown: `operator/members/export/?active=true`. */
  path: string
  /** What the call asks for. */
  ability?: Ability
}

/** Saves the list that is shown as a file: whole, under its filters. Nothing for who may not. */
export function ExportButton({ path, ability = 'members.export' }: ExportButtonProps) {
  const { may } = useAbilities()
  return may(ability) ? <Exporting path={path} /> : null
}

function Exporting({ path }: { path: string }) {
  const { t } = useTranslation('console/shared')
  const { progress, problem, start, cancel } = useExport(path)
  return (
    <div className="export">
      {progress === null ? (
        <Menu
          label={t('export.button')}
          trigger={
            <>
              <IconDownload size={17} stroke={1.7} aria-hidden="true" />
              <span>{t('export.button')}</span>
            </>
          }
          triggerClass="button button-secondary button-small"
          items={EXPORT_FORMATS.map((format) => ({
            key: format,
            label: t(`export.as.${format}`),
            onSelect: () => void start(format),
          }))}
        />
      ) : (
        <Running progress={progress} onCancel={cancel} />
      )}
      <div role="alert" className="failure-place">
        {problem === null ? null : (
          <Notice kind="bad" icon={IconAlertCircle} stroke={1.7}>
            {problem}
          </Notice>
        )}
      </div>
    </div>
  )
}

function Running({ progress: { rows, about }, onCancel }: { progress: Progress; onCancel: () => void }) {
  const { t } = useTranslation('console/shared')
  const text =
    about === 0
      ? t('export.begins')
      : t('export.progress', { rows: formats.count(rows), about: formats.count(Math.max(rows, about)) })
  return (
    <div className="row-12 one-line export-running">
      <label className="small">
        <span className="export-figures">{text}</span>
        <progress max={Math.max(1, rows, about)} value={about === 0 ? undefined : rows} />
      </label>
      <Button size="small" autoFocus onClick={onCancel}>
        {t('export.cancel')}
      </Button>
    </div>
  )
}
