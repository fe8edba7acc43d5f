-- Opens FILE with SERVER attached, prints its diagnostics, applies the quick fix whose title begins like FIX, prints the
-- lines that changed. Works from Neovim 0.7 on: `nvim --headless -u NONE -i NONE -n -c 'luafile diagnostics.lua'`.
local path = vim.fn.fnamemodify(os.getenv("FILE"), ":p")
local function stop(status, text)
  io.stdout:write(text)
  vim.cmd("cquit " .. status)
end
local function run()
  vim.cmd("edit " .. vim.fn.fnameescape(path))
  vim.bo.filetype = "python"
  local buffer = vim.api.nvim_get_current_buf()
  local id = vim.lsp.start_client({
    name = "reduction-lint",
    cmd = vim.split(os.getenv("SERVER"), " "),
    root_dir = os.getenv("ROOT"),
  })
  if not id then stop(1, "the server did not start\n") end
  vim.lsp.buf_attach_client(buffer, id)
  if not vim.wait(30000, function() return #vim.diagnostic.get(buffer) > 0 end, 50) then
    stop(1, table.concat(vim.fn.readfile(vim.lsp.get_log_path()), "\n") .. "\n")
  end
  local out = {}
  for _, d in ipairs(vim.diagnostic.get(buffer)) do
    local lsp = d.user_data.lsp
    table.insert(out, string.format("%d %s %s %s related=%d", d.lnum + 1, vim.diagnostic.severity[d.severity],
      d.source, lsp.code, #lsp.relatedInformation))
  end
  local d = vim.diagnostic.get(buffer)[1]
  local range = { start = { line = d.lnum, character = d.col }, ["end"] = { line = d.end_lnum, character = d.end_col } }
  local answer = vim.lsp.buf_request_sync(buffer, "textDocument/codeAction", {
    textDocument = { uri = vim.uri_from_bufnr(buffer) },
    range = range,
    context = { diagnostics = {} },
  }, 10000)
  local before = vim.api.nvim_buf_get_lines(buffer, 0, -1, true)
  for _, action in ipairs(answer[id].result) do
    if vim.startswith(action.title, os.getenv("FIX")) then
      if not action.edit then
        action = vim.lsp.buf_request_sync(buffer, "codeAction/resolve", action, 10000)[id].result
      end
      vim.lsp.util.apply_workspace_edit(action.edit, vim.lsp.get_client_by_id(id).offset_encoding)
      break
    end
  end
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, true)) do
    if line ~= before[number] then table.insert(out, "fixed " .. number .. ": " .. line) end
  end
  vim.wait(30000, function() return #vim.diagnostic.get(buffer) < #out - 1 end, 50)
  table.insert(out, "left " .. #vim.diagnostic.get(buffer))
  vim.lsp.stop_client(id)
  vim.wait(3000, function() return vim.lsp.get_client_by_id(id) == nil end, 50)
  stop(0, table.concat(out, "\n") .. "\n")
end

local fine, problem = pcall(run)
if not fine then stop(1, problem .. "\n") end
