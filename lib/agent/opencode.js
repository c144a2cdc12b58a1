export const Co = async ({ directory }) => {
  const contexts = new Map(), begun = new Set(), inner = new Set()
  const recalled = new Map()
  const acts = ["edit", "multiedit", "write", "patch", "apply_patch", "bash"]
  const foreign = (tool) => tool.includes("_") && !tool.startsWith("co_")
  const hook = (name, session, more) => {
    try {
      const event = { hook_event_name: name, session_id: session, cwd: directory, ...more }
      const answer = execFileSync(command[0], command.slice(1), {
        input: JSON.stringify(event), timeout: 10000,
        stdio: ["pipe", "pipe", "ignore"],
      })
      return JSON.parse(answer).hookSpecificOutput?.additionalContext ?? ""
    } catch {
      return ""
    }
  }
  return {
    event: async ({ event: { type, properties } }) => {
      const id = properties?.sessionID ?? properties?.info?.id
      if (type === "session.created")
        (properties.info?.parentID ? inner : begun).add(id)
      else if (type === "session.compacted") [contexts, begun].map((of) => of.delete(id))
      else if (type === "session.idle" && !inner.has(id)) hook("Stop", id)
    },
    "chat.message": async ({ sessionID }, { message, parts }) => {
      const said = parts.filter((p) => p.type === "text" && !p.synthetic)
      if (inner.has(sessionID) || !said.length) return
      const prompt = said.map((p) => p.text).join("\n")
      const text = hook("UserPromptSubmit", sessionID, { prompt })
      if (text)
        parts.push({ id: said.at(-1).id + "co", sessionID, messageID: message.id,
          type: "text", text, synthetic: true })
    },
    "experimental.chat.system.transform": async ({ sessionID }, { system }) => {
      if (!sessionID) return
      if (!contexts.has(sessionID))
        contexts.set(sessionID, inner.has(sessionID)
          ? hook("SubagentStart", sessionID)
          : hook("SessionStart", sessionID,
            { source: begun.has(sessionID) ? "startup" : "resume" }))
      if (contexts.get(sessionID)) system.push(contexts.get(sessionID))
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
      if (!acts.includes(tool)) return
      const text = hook("PreToolUse", sessionID,
        { tool_name: tool, tool_input: args })
      if (text) recalled.set(callID, text)
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }, result) => {
      if (reads.includes(tool))
        hook("PostToolUse", sessionID,
          { tool_name: tool, tool_input: args })
      else if (!acts.includes(tool) && foreign(tool))
        hook("PostToolUse", sessionID, { tool_name: "mcp__" + tool })
      const text = recalled.get(callID)
      recalled.delete(callID)
      if (text && typeof result?.output === "string")
        result.output += "\n\n" + text
    },
  }
}
